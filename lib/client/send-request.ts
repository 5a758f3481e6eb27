import type { RpcRequest } from './build-request.js';
import type { Connection } from './connection.js';
import { readAnswer } from './read-answer.js';
import type { HeaderFields, RpcFetchInit, RpcHeaders } from './rpc-client-options.js';

/**
 * Sends a request and gives its result.
 *
 * @throws RpcClientError for an answer that is no result; whatever `fetch`, or a function that gives headers, throws
 */
export async function sendRequest({ fetch, headers, signal }: Connection, request: RpcRequest): Promise<unknown> {
  const init: RpcFetchInit = { method: request.method, headers: await collectHeaders(headers, request) };
  if (request.body !== undefined) init.body = request.body;
  if (signal !== undefined) init.signal = signal;
  return readAnswer(await fetch(request.url, init));
}

async function collectHeaders(sources: readonly RpcHeaders[], { body, override }: RpcRequest): Promise<Headers> {
  const collected = new Headers();
  for (const source of sources) {
    const fields = typeof source === 'function' ? await source() : source;
    for (const [name, value] of pairsOf(fields)) if (value !== undefined) collected.set(name, value);
  }
  collected.set('accept', 'application/json');
  if (body !== undefined) collected.set('content-type', 'application/json');
  if (override !== undefined) collected.set('x-http-method-override', override);
  return collected;
}

function pairsOf(fields: HeaderFields): Iterable<readonly [string, string | undefined]> {
  return isIterable(fields) ? fields : Object.entries(fields);
}

function isIterable(fields: HeaderFields): fields is Iterable<readonly [string, string]> {
  return Symbol.iterator in fields;
}
