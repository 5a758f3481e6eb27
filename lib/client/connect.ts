import type { Connection } from './connection.js';
import { ReadBatches } from './read-batches.js';
import type { RpcBatchOptions, RpcCallOptions, RpcClientOptions, RpcFetch } from './rpc-client-options.js';

/**
 * Returns the connection with the defaults of its options. @throws RangeError for an invalid number of retries, and for an invalid size of batches
 */
export function connect({
  endpoint,
  headers,
  fetch = globalFetch,
  maxUrlLength = 4000,
  retries = 0,
  batch = false,
}: RpcClientOptions): Connection {
  if (!Number.isInteger(retries) || retries < 0) throw new RangeError(`retries is a number of attempts, and ${retries} is none.`);
  return {
    endpoint: trimSlashes(String(endpoint)),
    maxUrlLength,
    retries,
    fetch,
    headers: headers === undefined ? [] : [headers],
    ...(batch !== false && { batches: readBatches(batch === true ? {} : batch) }),
  };
}

export function readBatches({ maxSize = 10 }: RpcBatchOptions): ReadBatches {
  if (Number.isInteger(maxSize) && maxSize > 0) return new ReadBatches(maxSize);
  throw new RangeError(`batch.maxSize is a number of calls, and ${maxSize} is none.`);
}

/** Returns the connection with some options replaced, or with further headers. */
export function withOptions(connection: Connection, { headers, signal, ifMatch }: RpcCallOptions): Connection {
  return {
    ...connection,
    ...(headers !== undefined && { headers: [...connection.headers, headers] }),
    ...(signal !== undefined && { signal }),
    ...(ifMatch !== undefined && { ifMatch: typeof ifMatch === 'string' ? ifMatch : `"${ifMatch}"` }),
  };
}

/** Looks up the global `fetch` at each call, so that a test or a framework may replace it after the client was created. */
export const globalFetch: RpcFetch = (url, init) => fetch(url, init);
export function trimSlashes(endpoint: string): string {
  return endpoint.endsWith('/') ? trimSlashes(endpoint.slice(0, -1)) : endpoint;
}
