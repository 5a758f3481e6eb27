import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { findLeaks } from '../../support/find-leaks.js';
import type { ErrorObject, ResourceObject } from '../../support/json-api-document.js';
import type { RawResponse } from '../../support/check-rest-response.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

export const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"';

/** The response to operations. */
export interface OperationsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly results: readonly { readonly data?: ResourceObject }[];
  readonly errors: readonly ErrorObject[];
  readonly text: string;
}

export interface OperationsRequest {
  readonly path?: string;
  readonly method?: 'POST' | 'GET' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a body to the operations of an application, and checks the rules for all of its responses. */
export async function sendOperations(app: TestApp, body: unknown, request: OperationsRequest = {}): Promise<OperationsAnswer> {
  const outgoing = outgoingOf(body, request);
  const response = await sendRequest(app.agent, outgoing);
  const faults = [...app.contract().check(outgoing, response), ...findLeaks(response.text), ...findFaults(response)];
  if (faults.length > 0) throw new Error([...faults, response.text].join('\n'));
  const { status, text, headers } = response;
  const { 'atomic:results': results = [], errors = [] } = (text === '' ? {} : JSON.parse(text)) as AnswerDocument;
  return { status, headers, text, results, errors };
}

interface AnswerDocument {
  readonly 'atomic:results'?: OperationsAnswer['results'];
  readonly 'errors'?: OperationsAnswer['errors'];
}

function outgoingOf(body: unknown, { path = '/operations', method = 'POST', headers = {} }: OperationsRequest): OutgoingRequest {
  const to = { method, path: `/api/rest${path}` };
  if (method === 'GET') return { ...to, headers };
  return { ...to, headers: { 'Content-Type': ATOMIC, ...headers }, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

function findFaults({ status, headers, text }: RawResponse): readonly string[] {
  if (status === 204) return text === '' ? [] : ['A 204 has no body.'];
  return headers['content-type'] === ATOMIC ? [] : [`It is ${String(headers['content-type'])}.`];
}

/** The operations themselves, as a request has them. */
export function operationsOf(...operations: readonly unknown[]): object {
  return { 'atomic:operations': operations };
}

/** Status, and each error as `code pointer`. */
export function refusal({ status, errors }: OperationsAnswer): readonly (number | string)[] {
  return [status, ...errors.map(({ code, source }) => `${code} ${source?.pointer ?? source?.parameter ?? source?.header ?? 'nowhere'}`)];
}

/** The members of a suite, which are set when its tests run. */
export interface OperationsSuite {
  readonly app: TestApp;
  readonly database: TestDatabase;
  readonly send: (...operations: readonly unknown[]) => Promise<OperationsAnswer>;
}

/** Describes operations on both platforms: every test starts from the base seed. */
export function describeOperations(name: string, tests: (suite: OperationsSuite) => void): void {
  onPlatforms(name, (platform) => {
    const suite: { app?: TestApp; database?: TestDatabase; send: OperationsSuite['send'] } = {
      send: (...operations) => sendOperations((suite as OperationsSuite).app, operationsOf(...operations)),
    };
    beforeAll(async () => {
      suite.database = await openTestDatabase();
      const options = { rest: { operations: { maxOperations: 20 } }, limits: { maxBatchSize: 30 } };
      suite.app = await startTestApp({ platform, database: suite.database, options });
    });
    beforeEach(() => suite.database?.reset());
    afterAll(async () => {
      await suite.app?.close();
      await suite.database?.close();
    });
    tests(suite as OperationsSuite);
  });
}
