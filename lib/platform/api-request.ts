import type { DataClient } from '../data-client/data-client.js';
import type { PlatformRequest } from '../resource-api.options.js';

/** A request to one of this module's routes, the same on Express and on Fastify. */
export interface ApiRequest {
  /** The platform's own, as the host's guards and rules see it. */
  readonly request?: PlatformRequest;
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
  /** The data client of this request (`DATA_CLIENT`). Ask for it after parsing, so that a malformed request reaches no data layer. */
  readonly client: () => Promise<DataClient>;
  /** Whether the client has closed its connection. Absent where there is no connection to see. */
  readonly isGone?: () => boolean;
}

/** The answer to an {@link ApiRequest}. */
export interface ApiReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * A JSON value, or bytes (`Uint8Array`) whose type is in the headers; absent for an empty body (204). The value of a document is made when it
   * is first looked at: leave `body` alone where only `status` or `headers` matter (`Object.assign(reply, { headers })` rather than a copy).
   */
  readonly body?: unknown;
}
