import type { CustomParams } from '@refinedev/core';
import type { Connection } from '../client/connection.js';
import { withOptions } from '../client/connect.js';
import { sendRequest } from '../client/send-request.js';
import { HttpError, toHttpError } from '../admin-data/http-error.js';
import { toJsonValue } from '../admin-data/values.js';

/**
 * Sends a request to a path of the API, e.g. `post/publish`, or to a URL that begins with `getApiUrl()`. It has the headers of the client, and its
 * result is JSON as that of every method.
 *
 * @throws HttpError with status 400 for a URL outside of the API, because the headers of the client are not for it
 */
export async function sendCustom(
  connection: Connection,
  { url, method, query, payload, headers, filters = [], sorters = [] }: CustomParams,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (filters.length > 0 || sorters.length > 0) throw new HttpError('`custom` takes a query, and neither filters nor sorters.', 400);
  const target = `${urlOf(url, connection)}${searchOf(query)}`;
  const body = payload === undefined ? {} : { body: jsonTextOf(payload) };
  const request = { method: method.toUpperCase(), url: target, isWrite: !READS.has(method), ...body };
  try {
    const options = { ...(signal && { signal }), ...(headers && { headers: headers as Readonly<Record<string, string>> }) };
    return toJsonValue(await sendRequest(withOptions(connection, options), request));
  } catch (error) {
    throw toHttpError(error);
  }
}

const READS: ReadonlySet<string> = new Set(['get', 'head', 'options']);

function urlOf(url: string, { endpoint }: Connection): string {
  const path = url.startsWith(`${endpoint}/`) ? url.slice(endpoint.length + 1) : url;
  const target = `${endpoint}/${path}`;
  if (/^(?:[a-z][a-z\d+.-]*:|[/\\])/i.test(path) || !isBelow(target, endpoint))
    throw new HttpError(`'${url}' is no path of ${endpoint}.`, 400);
  return target;
}

/** Whether a URL, as `fetch` reads it, is below an endpoint. A slash that is encoded might be decoded on the way. */
function isBelow(url: string, endpoint: string): boolean {
  const base = new URL(endpoint, ANY_ORIGIN);
  const { origin, pathname } = new URL(url, ANY_ORIGIN);
  return origin === base.origin && pathname.startsWith(`${base.pathname.replace(/\/$/, '')}/`) && !/%(?:2f|5c)/i.test(pathname);
}

/** The origin of an endpoint that is a path: a URL needs one to be parsed. */
const ANY_ORIGIN = 'http://localhost';

/** Returns the search of a URL. Members that are no texts are JSON, as the argument `q` of RPC. */
function searchOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return '';
  const members = Object.entries<unknown>({ ...query }).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    members.map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : jsonTextOf(value)]),
  );
  return search.size > 0 ? `?${search.toString()}` : '';
}

/** Returns JSON in which BigInt, Decimal and Bytes are texts, as in records. */
function jsonTextOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => toJsonValue(member));
}
