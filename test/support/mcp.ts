import { Client as StatelessClient, StreamableHTTPClientTransport as StatelessTransport } from '@modelcontextprotocol/client';
import { Client as HandshakeClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HandshakeTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { THIS_DATABASE } from './databases/this-database.js';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/** The result of a call, as both official clients give it. */
export interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** An official client, connected to the endpoint of an application. */
export interface McpClient {
  readonly version: string | undefined;
  readonly instructions: string | undefined;
  list(): Promise<readonly ListedTool[]>;
  call(name: string, args: object): Promise<CallResult>;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly annotations?: object | undefined;
}

type Connect = (url: string, headers?: Record<string, string>) => Promise<McpClient>;

const INFO = { name: 'test', version: '1.0' };

/** `@modelcontextprotocol/sdk` 1.x: the revision 2025-11-25, with a handshake. */
const connectHandshake: Connect = async (url, headers = {}) => {
  const client = new HandshakeClient(INFO);
  const transport = new HandshakeTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return {
    version: transport.protocolVersion,
    instructions: client.getInstructions(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as CallResult,
    close: () => client.close(),
  };
};

/** `@modelcontextprotocol/client` 2.x: the revision 2026-07-28, which has none. */
const connectStateless: Connect = async (url, headers = {}) => {
  const client = new StatelessClient(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StatelessTransport(new URL(url), { requestInit: { headers } }));
  return {
    version: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as CallResult,
    close: () => client.close(),
  };
};

export const MCP_CLIENTS: readonly (readonly [revision: string, connect: Connect])[] = [
  ['2025-11-25', connectHandshake],
  ['2026-07-28', connectStateless],
];

/** Sends one message without a client. */
export async function post(app: TestApp, message: unknown, headers: Record<string, string> = {}, path = '/mcp'): Promise<McpAnswer> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept': 'application/json, text/event-stream', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : (JSON.parse(text) as McpBody) };
}

export interface McpBody {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly result?: CallResult & Readonly<Record<string, unknown>>;
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: McpBody | undefined;
}

let next = 0;

/** The message of a call of a tool. */
export function callOf(name: string, args: unknown): object {
  return { jsonrpc: '2.0', id: ++next, method: 'tools/call', params: { name, arguments: args } };
}

/** Calls a tool without a client, and returns its result. */
export async function call(app: TestApp, name: string, args: unknown, headers?: Record<string, string>): Promise<CallResult> {
  const { status, body } = await post(app, callOf(name, args), headers);
  if (!body?.result) throw new Error(`${name} was answered ${status}: ${JSON.stringify(body)}`);
  return body.result;
}

/** Starts an application with the endpoint, beside the other styles. */
export function startMcpApp(setup: TestAppOptions): Promise<TestApp> {
  const { options } = setup;
  return startTestApp({ ...setup, options: { ...options, mcp: { writes: true, ...options?.mcp } } });
}

/** Whether the data client may be `withSql`. */
export const HAS_SQL = THIS_DATABASE === 'postgresql';
