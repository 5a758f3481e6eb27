import type { CallSpec } from './call-spec.js';
import type { RpcFetch, RpcHeaders } from './rpc-client-options.js';

/** The options of a client with their defaults filled in, and what `$with` has added. */
export interface Connection {
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly maxUrlLength: number;
  readonly fetch: RpcFetch;
  /** In the order in which they apply: the last that names a header gives its value. */
  readonly headers: readonly RpcHeaders[];
  readonly signal?: AbortSignal | undefined;
  /** A tag, as `If-Match` has it. */
  readonly ifMatch?: string;
  /** How often a request is sent again. */
  readonly retries: number;
  /** Where reads gather; absent where each is sent by itself. */
  readonly batches?: ReadBatcher;
}

/** Gathers the reads of a client that are made in one tick. */
interface ReadBatcher {
  /** Returns the result of the read alone; rejects when its signal aborts. */
  add(read: BatchedRead): Promise<unknown>;
}

/** An HTTP request of this protocol, but for the user's headers. */
export interface RpcRequest {
  readonly method: string;
  readonly url: string;
  /** JSON. */
  readonly body?: string;
  /** The method that is meant, when the argument of a GET or DELETE is in the body of a POST because a URL cannot hold it. */
  readonly override?: string;
  /** `If-Match` */
  readonly ifMatch?: string;
  /** Whether it changes anything: it must not be done twice. */
  readonly isWrite: boolean;
}

/** A read that may travel together with others. */
export interface BatchedRead {
  readonly spec: CallSpec;
  readonly connection: Connection;
  /** As it is sent by itself. */
  readonly request: RpcRequest;
}
