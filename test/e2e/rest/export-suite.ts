import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { describeOnEachPlatform, type Platform, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';

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
  /** Whether it came to its proper end. */
  readonly isWhole: boolean;
}

export interface Asked {
  readonly accept?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks for an export, and takes what comes of it, be it broken off. */
export async function take(
  { url }: Pick<TestApp, 'url'>,
  path: string,
  { accept = NDJSON, method = 'GET', headers, body }: Asked = {},
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

/** What a suite works with; all is there once its tests run. */
export interface ExportSuite {
  readonly platform: Platform;
  readonly database: TestDatabase;
  /** Has exports. */
  readonly app: TestApp;
  /** Another app on the same database; with exports, unless it says otherwise. */
  readonly start: (options?: NonNullable<TestAppOptions['options']>) => Promise<TestApp>;
}

/** Describes exports on both platforms: every test starts from the base seed. */
export function describeExports(name: string, tests: (suite: ExportSuite) => void): void {
  describeOnEachPlatform(name, (platform) => {
    const apps: TestApp[] = [];
    const there: { database?: TestDatabase; app?: TestApp } = {};
    const suite: ExportSuite = {
      platform,
      get database() {
        return required(there.database);
      },
      get app() {
        return required(there.app);
      },
      start: async (options = {}) => {
        const started = await startTestApp({
          platform,
          database: suite.database,
          options: { ...options, rest: { export: true, ...options.rest } },
        });
        apps.push(started);
        return started;
      },
    };
    beforeAll(async () => {
      there.database = await openTestDatabase();
      there.app = await suite.start();
    }, 60_000);
    beforeEach(() => suite.database.reset());
    afterAll(async () => {
      for (const one of apps) await one.close();
      await there.database?.close();
    });
    tests(suite);
  });
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('It is there once the tests run.');
  return value;
}
