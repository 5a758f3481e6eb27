import { type RpcCallOptions, type RpcClientOptions, type RpcFetch, type RpcHeaders } from './rpc-client-options.js';

/** The options of a client with their defaults filled in, and what `$with` has added. */
export interface Connection {
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly maxUrlLength: number;
  readonly fetch: RpcFetch;
  /** In the order in which they apply: the last that names a header gives its value. */
  readonly headers: readonly RpcHeaders[];
  readonly signal?: AbortSignal;
}

export function connect({ endpoint, headers, fetch = globalFetch, maxUrlLength = 4000 }: RpcClientOptions): Connection {
  return { endpoint: trimSlashes(String(endpoint)), maxUrlLength, fetch, headers: headers === undefined ? [] : [headers] };
}

/** A connection that is like the given one but for some options. */
export function withOptions(connection: Connection, { headers, signal }: RpcCallOptions): Connection {
  return {
    ...connection,
    ...(headers !== undefined && { headers: [...connection.headers, headers] }),
    ...(signal !== undefined && { signal }),
  };
}

/** Looked up at each call, so that a test or a framework may replace it after this client was made. */
const globalFetch: RpcFetch = (url, init) => fetch(url, init);

function trimSlashes(endpoint: string): string {
  return endpoint.endsWith('/') ? trimSlashes(endpoint.slice(0, -1)) : endpoint;
}
