import type { Connection, RpcRequest } from './connection.js';
import { readAnswer } from './read-answer.js';
import { NoAnswerError, pauseBefore, randomKey, wait } from './retry.js';
import { RpcClientError } from './rpc-client-error.js';
import type { HeaderFields, RpcFetchInit, RpcHeaders } from './rpc-client-options.js';

/**
 * Sends a request and returns its result. With `retries`, it is sent again after no response, or after a response that permits another attempt. A
 * write has the same `Idempotency-Key` in each attempt.
 *
 * @throws RpcClientError for a response without a result; any error of `fetch`, or of a function that returns headers
 */
export async function sendRequest(connection: Connection, request: RpcRequest): Promise<unknown> {
  const { retries, signal } = connection;
  const key = retries > 0 && request.isWrite ? randomKey() : undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(connection, request, key);
    } catch (error) {
      const pause = attempt < retries && !signal?.aborted ? pauseBefore(error, attempt) : undefined;
      if (pause === undefined) throw error instanceof NoAnswerError ? error.cause : error;
      await wait(pause, signal);
    }
  }
}

async function sendOnce({ fetch, headers, signal }: Connection, request: RpcRequest, key: string | undefined): Promise<unknown> {
  const init: RpcFetchInit = { method: request.method, headers: await collectHeaders(headers, request, key) };
  if (request.body !== undefined) init.body = request.body;
  if (signal !== undefined) init.signal = signal;
  try {
    return await readAnswer(await fetch(request.url, init));
  } catch (error) {
    throw error instanceof RpcClientError ? error : new NoAnswerError('There was no answer.', { cause: error });
  }
}

async function collectHeaders(
  sources: readonly RpcHeaders[],
  { body, override, ifMatch }: RpcRequest,
  key: string | undefined,
): Promise<Headers> {
  const collected = new Headers();
  for (const source of sources) {
    const fields = typeof source === 'function' ? await source() : source;
    for (const [name, value] of pairsOf(fields)) if (value !== undefined) collected.set(name, value);
  }
  collected.set('accept', 'application/json');
  if (body !== undefined) collected.set('content-type', 'application/json');
  if (ifMatch !== undefined) collected.set('if-match', ifMatch);
  if (override !== undefined) collected.set('x-http-method-override', override);
  if (key !== undefined && !collected.has('idempotency-key')) collected.set('idempotency-key', key);
  return collected;
}

function pairsOf(fields: HeaderFields): Iterable<readonly [string, string | undefined]> {
  return isIterable(fields) ? fields : Object.entries(fields);
}

function isIterable(fields: HeaderFields): fields is Iterable<readonly [string, string]> {
  return Symbol.iterator in fields;
}
