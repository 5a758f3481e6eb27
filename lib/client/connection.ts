import type { CallSpec } from './call-spec.js';
import type { RpcFetch, RpcHeaders } from './rpc-client-options.js';

/** The options of a client with their defaults, and the options of `$with`. */
export interface Connection {
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly maxUrlLength: number;
  readonly fetch: RpcFetch;
  /** Later entries override earlier ones with the same header name. */
  readonly headers: readonly RpcHeaders[];
  readonly signal?: AbortSignal | undefined;
  /** The entity tag for `If-Match`. */
  readonly ifMatch?: string;
  /** The number of retries of a request. */
  readonly retries: number;
  /** Collects reads into batches; absent if each read is sent alone. */
  readonly batches?: ReadBatcher;
}

/** Collects the reads that a client makes in one tick. */
interface ReadBatcher {
  /** Returns the result of this read. Rejects when its signal aborts. */
  add(read: BatchedRead): Promise<unknown>;
}

/** An HTTP request of this protocol, without the headers of the user. */
export interface RpcRequest {
  readonly method: string;
  readonly url: string;
  /** The JSON text. */
  readonly body?: string;
  /** The value of `X-HTTP-Method-Override`. Present if a POST carries the argument of a GET or DELETE that is too long for a URL. */
  readonly override?: string;
  /** The value of `If-Match`. */
  readonly ifMatch?: string;
  /** Whether the request writes. If so, it must not be executed twice. */
  readonly isWrite: boolean;
}

/** A read that may be sent in a batch with others. */
export interface BatchedRead {
  readonly spec: CallSpec;
  readonly connection: Connection;
  /** The request that sends this read alone. */
  readonly request: RpcRequest;
}
