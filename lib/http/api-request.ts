import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import type { RunTally } from '../executor/run-tally.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { PlatformRequest } from './platform-request.js';

/** A request to one of this module's routes, independent of the platform (Express or Fastify). */
export interface ApiRequest {
  /** The request of Express or Fastify, as the guards and rules of the application receive it. */
  readonly request?: PlatformRequest;
  /** The model as it is exposed to the caller. Absent if it is the same for all callers. */
  readonly visibleModel?: ResourceModel;
  /** Upper-case method, after `X-HTTP-Method-Override`. */
  readonly method: string;
  /** The raw query string, without `?`. It is parsed once, by the style. */
  readonly search: string;
  /** Headers by lower-case name, in the form of Node's `IncomingMessage.headers`. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the body has at least one byte. */
  readonly hasBody: boolean;
  /**
   * Returns the body as a JSON value.
   * @throws ApiError `invalid-payload` for an absent or malformed body, `payload-too-large` over `limits.maxBodySize`
   */
  readonly json: () => unknown;
  /**
   * Returns the body as the text of a form (`application/x-www-form-urlencoded`), still encoded; `''` if the request has no body.
   * @throws ApiError `unsupported-media-type` for a body of another type, `payload-too-large` over `limits.maxBodySize`
   */
  readonly form: () => string;
  /**
   * Returns the data client of this request (`DATA_CLIENT`). Call it after parsing, so that a malformed request does not reach the data
   * layer.
   */
  readonly client: () => Promise<DataClient>;
  /** Returns whether the client has closed its connection. Absent if the request has no connection. */
  readonly isGone?: () => boolean;
  /** Whether the client can distinguish an aborted body of unknown length from a complete one. Clients of HTTP/1.0 cannot. */
  readonly knowsEnds?: boolean;
  /** The idempotency record that the write stores in its transaction. Absent if the request has no key. */
  readonly record?: WriteRecord | undefined;
  /** Receives what the request costs the database; undefined unless its span is recorded. */
  readonly tally?: RunTally | undefined;
}

/** The parts of a request that the data layer uses: the caller, and its data client. */
export type DataLayerRequest = Pick<ApiRequest, 'client' | 'isGone' | 'request' | 'visibleModel' | 'record' | 'tally'>;

/** A record that a write stores about itself in its own transaction, such as that of an idempotency key. */
export interface WriteRecord {
  /**
   * Called as the first step of the transaction.
   * @throws if the write must not be executed
   */
  begin(open: Executor): Promise<void>;
  /** Called as the last step before the commit, with the response. */
  end(open: Executor, reply: ApiReply): Promise<void>;
}

/** The response to an {@link ApiRequest}. */
export interface ApiReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The version of the single resource in the body. The response's strong `ETag` consists of this version and a hash of the body. */
  readonly version?: string;
  /**
   * A JSON value, or bytes (`Uint8Array`) or a `ByteStream` of them, whose type is in the headers. Absent for an empty body (204).
   *
   * The value of a document is created when `body` is first read. To change only `status` or `headers`, do not read `body`: use
   * `Object.assign(reply, { headers })` rather than a copy.
   */
  readonly body?: unknown;
}
