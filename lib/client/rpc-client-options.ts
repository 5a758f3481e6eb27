/** How a client reaches its API. */
export interface RpcClientOptions {
  /**
   * Where the RPC API is mounted, e.g. `https://api.example.com/api/rpc`; with or without a slash at its end. In a browser it may be
   * relative to the page's origin: `/api/rpc`.
   */
  readonly endpoint: string | URL;
  /** Headers of every request; a function is called, and awaited, once per request. */
  readonly headers?: RpcHeaders;
  /**
   * Sends the requests, for cookies, retries or tests.
   * @default the global `fetch`, looked up at each call
   * @example
   * createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch: (url, init) => fetch(url, { ...init, credentials: 'include' }) })
   */
  readonly fetch?: RpcFetch;
  /**
   * Arguments that would make a URL longer than this many characters travel in the body of a POST, with `X-HTTP-Method-Override`.
   * @default 4000: servers and proxies commonly refuse from 8 kB on, headers included
   */
  readonly maxUrlLength?: number;
  /**
   * How often a request is sent again where there was no answer, or one that asks for it (429, 502, 503, 504). Writes are sent with the header
   * `Idempotency-Key`, the same for each attempt: the API needs the option `idempotency`, without which a write may be done twice.
   * @default 0
   */
  readonly retries?: number;
  /**
   * Sends the reads that are made in one tick as one request, which the server runs as one transaction. Writes are always sent by themselves.
   * @default false
   */
  readonly batch?: boolean | RpcBatchOptions;
}

/** How reads are put together. */
export interface RpcBatchOptions {
  /**
   * Most reads in one request. They share its limits on the server, and the time that it may take.
   * @default 10
   */
  readonly maxSize?: number;
}

/** What `$with` adds to the calls of a client. */
export interface RpcCallOptions {
  readonly headers?: RpcHeaders;
  /** Aborts the request; the call then rejects with the signal's reason, an `AbortError` unless another was given. */
  readonly signal?: AbortSignal;
  /**
   * The version that `update`, `upsert` and `delete` may change, or a tag of it (`'"3"'`): if the record has another one by now, the call fails with
   * status 412. In `$transaction` each call has its own.
   */
  readonly ifMatch?: number | bigint | string;
}

/** Headers, or a function that gives them. */
export type RpcHeaders = HeaderFields | (() => HeaderFields | Promise<HeaderFields>);

/** As `fetch` takes them: an object, a list of pairs, or `Headers`. What is undefined in an object is left out. */
export type HeaderFields = Readonly<Record<string, string | undefined>> | Iterable<readonly [string, string]>;

/** The part of `fetch` that the client needs; every `fetch` fits. */
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
