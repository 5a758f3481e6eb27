import type { Contract } from './check-contract.js';
import { BrokenResponseError } from './rest-client.js';
import type { RawResponse } from './check-rest-response.js';
import { checkRpcResponse } from './check-rpc-response.js';
import { rpcCodec } from './rpc-codec.js';
import { type Agent, type Method, type OutgoingRequest, sendRequest } from './send-request.js';

export interface RpcClientOptions {
  readonly agent: Agent;
  /** Path of the RPC API, e.g. `/api/rpc`. */
  readonly prefix: string;
  /** The contract of responses, from the OpenAPI document of the application. */
  readonly contract?: () => Contract;
}

export interface RpcCallOptions {
  /** In place of the operation's own. */
  readonly method?: Method;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Methods of the operations that are no reads (specification, section 4.2); reads are GET. */
const METHODS: Readonly<Record<string, Method>> = {
  create: 'POST',
  createMany: 'POST',
  createManyAndReturn: 'POST',
  upsert: 'POST',
  update: 'PATCH',
  updateMany: 'PATCH',
  updateManyAndReturn: 'PATCH',
  delete: 'DELETE',
  deleteMany: 'DELETE',
};

/**
 * A client of the RPC style for tests: arguments go out as superjson with the specification's two custom types makes them, results come
 * back revived, and every answer is checked against all that holds for any answer (`checkRpcResponse`).
 *
 * @example
 * const { data } = await app.rpc.call('post/findMany', { where: { createdAt: { gt: day(3) } } });
 * const { status, error } = await app.rpc.call('post/create', {});
 */
export class RpcClient {
  constructor(private readonly options: RpcClientOptions) {}

  /** @param operation of one model, as in its path: `post/findMany` */
  call(operation: string, args?: unknown, options: RpcCallOptions = {}): Promise<RpcResponse> {
    const { method = METHODS[operation.split('/').at(-1) ?? ''] ?? 'GET', headers = {} } = options;
    const request = method === 'GET' || method === 'DELETE' ? inQuery(args) : inBody(args);
    return this.send({ ...request, method, path: `/${operation}${request.path}`, headers: { ...request.headers, ...headers } });
  }

  /** Several operations in one transaction. */
  sequential(
    operations: readonly { readonly model: string; readonly op: string; readonly args?: unknown }[],
    headers: RpcCallOptions['headers'] = {},
  ): Promise<RpcResponse> {
    const body = operations.map(({ args, ...operation }) => ({ ...operation, ...(args !== undefined && { args: encodeBody(args) }) }));
    return this.send({
      method: 'POST',
      path: '/$transaction/sequential',
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    });
  }

  /**
   * A request as it is, the path below the API's prefix.
   * @throws when the answer breaks a rule that holds for every answer
   */
  async send(request: OutgoingRequest): Promise<RpcResponse> {
    const { agent, prefix, contract } = this.options;
    const outgoing = { ...request, path: `${prefix}${request.path}` };
    const response = await sendRequest(agent, outgoing);
    const faults = request.method === 'HEAD' ? [] : [...checkRpcResponse(response), ...(contract?.().check(outgoing, response) ?? [])];
    if (faults.length > 0) throw new BrokenResponseError(`${request.method} ${request.path}`, response, faults);
    return new RpcResponse(response);
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

type Arguments = Pick<OutgoingRequest, 'path' | 'headers' | 'body'>;

export function inQuery(args: unknown): Arguments {
  if (args === undefined) return { path: '' };
  const { json, meta } = rpcCodec.serialize(args);
  const query = new URLSearchParams({ q: JSON.stringify(json), ...(meta && { meta: JSON.stringify({ serialization: meta }) }) });
  return { path: `?${query.toString()}` };
}

function inBody(args: unknown): Arguments {
  return { path: '', headers: JSON_TYPE, body: JSON.stringify(encodeBody(args ?? {})) };
}

function encodeBody(args: unknown): object {
  const { json, meta } = rpcCodec.serialize(args);
  return { ...(json as object), ...(meta && { meta: { serialization: meta } }) };
}

/** The flat error of the specification, section 7. */
export interface RpcErrorBody {
  readonly message: string;
  readonly orm?: boolean;
  readonly code?: string;
  readonly rejectedByPolicy?: boolean;
  readonly reason?: string;
}

/** An answer that passed every check. */
export class RpcResponse {
  readonly status: number;
  readonly headers: RawResponse['headers'];
  readonly text: string;

  constructor({ status, headers, text }: RawResponse) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** The body as JSON. */
  get body(): { readonly data?: unknown; readonly meta?: { readonly serialization?: unknown } } {
    return JSON.parse(this.text) as RpcResponse['body'];
  }

  /**
   * The result with its values revived.
   * @throws when the call failed
   */
  get data(): unknown {
    if (this.status >= 400) throw new Error(`The call failed with ${this.status}: ${this.text}`);
    const { data, meta } = this.body;
    return rpcCodec.deserialize({ json: data, meta: meta?.serialization } as Parameters<typeof rpcCodec.deserialize>[0]);
  }

  /** @throws when the call succeeded */
  get error(): RpcErrorBody {
    if (this.status < 400) throw new Error(`The call succeeded: ${this.text}`);
    const body = JSON.parse(this.text) as RpcErrorBody & { readonly error: unknown };
    return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'error')) as unknown as RpcErrorBody;
  }
}
