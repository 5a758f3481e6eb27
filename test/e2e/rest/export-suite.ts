import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppSuite } from '../../support/app-suite.js';
import { onPlatforms, type Platform, type TestApp } from '../../support/test-app.js';

export const NDJSON = 'application/x-ndjson';
export const CSV = 'text/csv';

export interface Line {
  readonly type: string;
  readonly id: number | string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>>;
  readonly links?: unknown;
  readonly meta: { readonly page: { readonly cursor: string }; readonly complete?: true; readonly count?: number };
  readonly errors?: readonly { readonly code: string; readonly id?: string }[];
}

export interface Exported {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Whether the response was complete. */
  readonly isWhole: boolean;
}

export interface ExportRequest {
  readonly accept?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests an export, and returns the received part even if the export is aborted. */
export async function take(
  { url }: Pick<TestApp, 'url'>,
  path: string,
  { accept = NDJSON, method = 'GET', headers, body }: ExportRequest = {},
): Promise<Exported> {
  const sent = httpRequest(`${url}/api/rest${path}`, { method, headers: { Accept: accept, ...headers }, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', () => undefined);
  await new Promise((resolve) => response.once('close', resolve));
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString(),
    isWhole: response.complete,
  };
}

export const linesOf = ({ text }: Exported): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
export const idsOf = (exported: Exported): readonly unknown[] => linesOf(exported).flatMap((line) => ('id' in line ? [line.id] : []));
export const errorOf = ({ status, text }: Exported): readonly unknown[] => {
  const { errors } = JSON.parse(text) as { readonly errors: readonly { readonly code: string; readonly source?: object }[] };
  return [status, ...errors.map(({ code, source }) => `${code} ${String(Object.values(source ?? {})[0] ?? 'nowhere')}`)];
};

export async function until(holds: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 300 && !holds(); tries++) await sleep(20);
  return holds();
}

/** Applications with the option `export`, unless their options disable it. */
export class ExportSuite extends AppSuite {
  constructor(platform: Platform) {
    super(platform, (options) => ({ options: { ...options, rest: { export: true, ...options?.rest } } }), {});
  }
}

/** Describes exports on both platforms: every test starts from the base seed. */
export function describeExports(name: string, tests: (suite: ExportSuite) => void): void {
  onPlatforms(name, (platform) => {
    tests(new ExportSuite(platform));
  });
}
