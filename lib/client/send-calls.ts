import { batchRequest } from './build-request.js';
import type { CallSpec } from './call-spec.js';
import type { Connection } from './connection.js';
import { RpcClientError } from './rpc-client-error.js';
import { sendRequest } from './send-request.js';

/**
 * Sends calls as one request, which the server runs as one transaction, and gives their results in order; or rejects with an RpcClientError where
 * the answer does not hold a result for each.
 *
 * @throws TypeError, before anything is sent, for an argument that cannot be
 */
export function sendCalls(connection: Connection, calls: readonly CallSpec[]): Promise<readonly unknown[]> {
  const request = batchRequest(calls, connection);
  return sendRequest(connection, request).then((answer) => requireResults(answer, calls.length));
}

function requireResults(answer: unknown, count: number): readonly unknown[] {
  if (Array.isArray(answer) && answer.length === count) return answer;
  throw new RpcClientError({ status: 200, message: `The answer does not hold the results of ${count} calls.` });
}
