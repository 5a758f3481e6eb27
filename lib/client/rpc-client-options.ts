/** The options of `createRpcClient`. */
export interface RpcClientOptions {
  /**
   * The URL of the RPC API, e.g. `https://api.example.com/api/rpc`, with or without a slash at its end. In a browser it may be relative to the page's
   * origin: `/api/rpc`.
   */
  readonly endpoint: string | URL;
  /** The headers of every request. A function is called, and awaited, once per request. */
  readonly headers?: RpcHeaders;
  /**
   * Sends the requests, for cookies, retries or tests.
   * @default the global `fetch`, looked up at each call
   * @example
   * createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch: (url, init) => fetch(url, { ...init, credentials: 'include' }) })
   */
  readonly fetch?: RpcFetch;
  /**
   * The largest number of characters of a URL. Longer arguments are sent in the body of a POST, with `X-HTTP-Method-Override`.
   * @default 4000: servers and proxies commonly refuse from 8 kB on, headers included
   */
  readonly maxUrlLength?: number;
  /**
   * The number of retries after no response, or after a response with status 429, 502, 503 or 504. A write has the same `Idempotency-Key` in each
   * attempt. The API needs the option `idempotency`, without which a write may be executed twice.
   * @default 0
   */
  readonly retries?: number;
  /**
   * Sends the reads that are made in one tick as one request, which the server runs as one transaction. Writes are always sent alone.
   * @default false
   */
  readonly batch?: boolean | RpcBatchOptions;
}

/** The options of batches. */
export interface RpcBatchOptions {
  /**
   * The largest number of reads in one request. They share the limits of one request on the server, its deadline included.
   * @default 10
   */
  readonly maxSize?: number;
}

/** The options that `$with` adds to the calls of a client. */
export interface RpcCallOptions {
  readonly headers?: RpcHeaders;
  /** Aborts the request. The call then rejects with the signal's reason, an `AbortError` unless another was given. */
  readonly signal?: AbortSignal;
  /**
   * The version that `update`, `upsert` and `delete` may change, or an entity tag of it (`'"3"'`). If the record has another version, the call fails
   * with status 412. In `$transaction`, each call has its own `ifMatch`.
   */
  readonly ifMatch?: number | bigint | string;
}

/** Headers, or a function that returns them. */
export type RpcHeaders = HeaderFields | (() => HeaderFields | Promise<HeaderFields>);

/** Headers as `fetch` accepts them: an object, a list of pairs, or `Headers`. Undefined members of an object are skipped. */
export type HeaderFields = Readonly<Record<string, string | undefined>> | Iterable<readonly [string, string]>;

/** The part of `fetch` that the client needs. Every `fetch` conforms to it. */
export type RpcFetch = (url: string, init: RpcFetchInit) => Promise<RpcFetchResponse>;

export interface RpcFetchInit {
  method: string;
  headers: Headers;
  body?: string;
  signal?: AbortSignal;
}

export interface RpcFetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers?: { get(name: string): string | null };
  text(): Promise<string>;
}
