import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { PlatformRequest } from './platform-request.js';

/** A request to one of this module's routes, the same on Express and on Fastify. */
export interface ApiRequest {
  /** The platform's own, as the host's guards and rules see it. */
  readonly request?: PlatformRequest;
  /** What the caller is shown; absent where all are shown the same. */
  readonly shown?: ResourceModel;
  /** Upper-case method, after `X-HTTP-Method-Override`. */
  readonly method: string;
  /** The raw query string, without `?`. It is parsed once, by the style. */
  readonly search: string;
  /** Headers by lower-case name, as Node gives them. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether any body byte was sent. */
  readonly hasBody: boolean;
  /**
   * The body as a JSON value.
   * @throws ApiError `invalid-payload` for an absent or malformed body, `payload-too-large` over `limits.maxBodySize`
   */
  readonly json: () => unknown;
  /**
   * The body as the text of a form (`application/x-www-form-urlencoded`), still encoded; `''` where none was sent.
   * @throws ApiError `unsupported-media-type` for a body of another type, `payload-too-large` over `limits.maxBodySize`
   */
  readonly form: () => string;
  /** The data client of this request (`DATA_CLIENT`). Ask for it after parsing, so that a malformed request reaches no data layer. */
  readonly client: () => Promise<DataClient>;
  /** Whether the client has closed its connection. Absent where there is no connection to see. */
  readonly isGone?: () => boolean;
  /** Whether the client can tell a body that was broken off from a whole one, of whatever length: not by HTTP/1.0. */
  readonly knowsEnds?: boolean;
  /** What its write keeps of itself; absent where it is nothing. */
  readonly record?: WriteRecord | undefined;
}

/** Who asks the data layer, and by which client. */
export type Asking = Pick<ApiRequest, 'client' | 'isGone' | 'request' | 'shown' | 'record'>;

/** What a write keeps of itself, in its own transaction. */
export interface WriteRecord {
  /**
   * Comes before everything else that is done.
   * @throws where the write must not be done
   */
  begin(open: Executor): Promise<void>;
  /** Comes when all is done, and the answer is there. */
  end(open: Executor, reply: ApiReply): Promise<void>;
}

/** The answer to an {@link ApiRequest}. */
export interface ApiReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The version of the one resource that the body shows. It and the bytes are the strong `ETag` of the answer. */
  readonly version?: string;
  /**
   * A JSON value, or bytes (`Uint8Array`) or a `ByteStream` of them whose type is in the headers; absent for an empty body (204). The value of a
   * document is made when it is first looked at: leave `body` alone where only `status` or `headers` matter (`Object.assign(reply, { headers })` rather than a copy).
   */
  readonly body?: unknown;
}
