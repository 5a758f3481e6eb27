import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { ErrorObject } from '../../support/json-api-document.js';
import type { RestResponse } from '../../support/rest-client.js';
import type { Method } from '../../support/send-request.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { RULES } from './rules.js';

/** The members of a suite, which are set when its tests run. */
export interface RulesSuite {
  readonly app: TestApp;
  readonly database: TestDatabase;
  readonly as: (callerId?: number) => Caller;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- what tests look into */

/** Sends requests of both styles as one caller. The clients validate each response. */
export interface Caller {
  /** Status and document of a REST request. */
  readonly rest: (method: Method, path: string, body?: unknown) => Promise<RestAnswer>;
  /** Calls an operation of RPC. Returns the status with the result or the error. */
  readonly rpc: (operation: string, args?: unknown) => Promise<RpcAnswer>;
  readonly batch: (operations: readonly { readonly model: string; readonly op: string; readonly args?: unknown }[]) => Promise<RpcAnswer>;
}

export interface RestAnswer {
  readonly status: number;
  readonly ids: readonly unknown[];
  readonly total: unknown;
  readonly document: any;
  readonly errors: readonly ErrorObject[];
  readonly included: readonly string[];
}

export interface RpcAnswer {
  readonly status: number;
  readonly data: any;
  readonly error: any;
}

/** Describes both styles under {@link RULES}, on Express and on Fastify. The seed is restored before each test. */
export function describeRules(name: string, tests: (suite: RulesSuite) => void): void {
  describe(name, () => {
    const suite: { app?: TestApp; database?: TestDatabase; as: RulesSuite['as'] } = { as: () => callerOf(suite.app) };
    beforeAll(async () => {
      suite.database = await openTestDatabase();
    }, 60_000);
    beforeEach(() => suite.database?.reset());
    afterAll(() => suite.database?.close());
    onPlatforms('on', (platform) => {
      beforeAll(async () => {
        suite.app = await startTestApp({
          platform,
          ...(suite.database && { database: suite.database }),
          options: { rules: RULES, rest: { pageSize: 100 } },
        });
        suite.as = (callerId) => callerOf(suite.app, callerId);
      });
      afterAll(() => suite.app?.close());
      tests(suite as RulesSuite);
    });
  });
}

export function callerOf(app: TestApp | undefined, callerId?: number): Caller {
  if (!app) throw new Error('The app is not there yet.');
  const headers: Readonly<Record<string, string>> = callerId === undefined ? {} : { 'X-User-Id': String(callerId) };
  return {
    rest: async (method, path, body) =>
      restAnswerOf(await app.rest.request(method, path, { headers, ...(body !== undefined && { body }) })),
    rpc: async (operation, args) => answerOf(await app.rpc.call(operation, args, { headers })),
    batch: async (operations) => answerOf(await app.rpc.sequential(operations, headers)),
  };
}

function answerOf(response: { readonly status: number; readonly data?: unknown; readonly error?: unknown }): RpcAnswer {
  const isRight = response.status < 400;
  return { status: response.status, data: isRight ? response.data : undefined, error: isRight ? undefined : response.error };
}

function restAnswerOf(response: RestResponse): RestAnswer {
  const document = response.text === '' ? {} : response.document;
  const { data } = document;
  const resources = (data === undefined || data === null ? [] : [data].flat()) as readonly { readonly id: unknown }[];
  return {
    status: response.status,
    document,
    ids: resources.map(({ id }) => id),
    total: document.meta?.['total'],
    errors: document.errors ?? [],
    included: (document.included ?? []).map(({ type, id }) => `${type} ${id}`),
  };
}
