import type { Connection } from './connection.js';
import { type CallState, stateOf } from './lazy-call.js';
import { batchRequest } from './build-request.js';
import type { CallSpec } from './call-spec.js';
import { RpcClientError } from './rpc-client-error.js';
import { sendRequest } from './send-request.js';

/**
 * Sends calls as one transaction, and returns their results in order. Each call then has its result as if it had been awaited.
 *
 * @throws TypeError for a value that is no call of this API, and for a call that is already sent, which would be executed twice
 */
export async function sendBatch(connection: Connection, calls: readonly object[]): Promise<readonly unknown[]> {
  requireList(calls);
  if (calls.length === 0) return [];
  const members = calls.map((call, index) => requireUnsent(stateOf(call), index, connection));
  const repeated = members.findIndex((member, index) => members.indexOf(member) < index);
  if (repeated >= 0) refuse(repeated, 'there twice');
  const results = sendCalls(
    connection,
    members.map(({ spec }) => spec),
  );
  return Promise.all(members.map((member, index) => member.settleBy(results.then((values) => values[index]))));
}

/** Rejects Prisma's interactive form, `$transaction(async (tx) => …)`, with an explanation. */
function requireList(calls: unknown): void {
  if (typeof calls === 'function') throw new TypeError(NOT_INTERACTIVE);
  if (!Array.isArray(calls))
    throw new TypeError('$transaction takes a list of calls: $transaction([api.post.create(…), api.post.count()]).');
}

const NOT_INTERACTIVE =
  'There are no interactive transactions over HTTP: they would hold one open in the database between requests. ' +
  'Give $transaction a list of calls, $transaction([api.post.create(…), api.post.count()]), use a nested write, ' +
  'or write an endpoint of your own for what must read before it writes.';

function requireUnsent(state: CallState | undefined, index: number, { endpoint }: Connection): CallState {
  if (state?.connection.endpoint !== endpoint) return refuse(index, 'not a call of this client');
  return state.isSent ? refuse(index, 'sent already') : state;
}

function refuse(index: number, what: string): never {
  throw new TypeError(`$transaction takes calls that nobody has awaited yet, and calls[${index}] is ${what}.`);
}

/**
 * Sends calls as one request, which the server runs as one transaction. Returns their results in order, or rejects with an RpcClientError if the
 * response does not hold a result for each call.
 *
 * @throws TypeError, before anything is sent, for an argument that cannot be sent
 */
export function sendCalls(connection: Connection, calls: readonly CallSpec[]): Promise<readonly unknown[]> {
  const request = batchRequest(calls, connection);
  return sendRequest(connection, request).then((answer) => requireResults(answer, calls.length));
}

function requireResults(answer: unknown, count: number): readonly unknown[] {
  if (Array.isArray(answer) && answer.length === count) return answer;
  throw new RpcClientError({ status: 200, message: `The answer does not hold the results of ${count} calls.` });
}
