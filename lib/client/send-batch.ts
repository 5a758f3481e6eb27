import { batchRequest } from './build-request.js';
import { type Connection } from './connection.js';
import { type CallState, stateOf } from './lazy-call.js';
import { RpcClientError } from './rpc-client-error.js';
import { sendRequest } from './send-request.js';

/**
 * Sends calls as one transaction, and gives their results in order. Each call then has its result as if it had been awaited.
 *
 * @throws TypeError for a value that is no call of this API, and for a call that is sent already: it would be made twice
 */
export async function sendBatch(connection: Connection, calls: readonly object[]): Promise<readonly unknown[]> {
  const members = calls.map((call, index) => requireUnsent(stateOf(call), index, connection));
  const repeated = members.findIndex((member, index) => members.indexOf(member) < index);
  if (repeated >= 0) refuse(repeated, 'there twice');
  const request = batchRequest(
    members.map(({ spec }) => spec),
    connection,
  );
  const results = sendRequest(connection, request).then((answer) => requireResults(answer, members.length));
  return Promise.all(members.map((member, index) => member.settleBy(results.then((values) => values[index]))));
}

function requireUnsent(state: CallState | undefined, index: number, { endpoint }: Connection): CallState {
  if (state?.connection.endpoint !== endpoint) return refuse(index, 'not a call of this client');
  return state.isSent ? refuse(index, 'sent already') : state;
}

function requireResults(answer: unknown, count: number): readonly unknown[] {
  if (Array.isArray(answer) && answer.length === count) return answer;
  throw new RpcClientError({ status: 200, message: `The answer does not hold the results of ${count} calls.` });
}

function refuse(index: number, what: string): never {
  throw new TypeError(`$transaction takes calls that nobody has awaited yet, and calls[${index}] is ${what}.`);
}
