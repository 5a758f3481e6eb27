import { type DataClient } from '../data-client/data-client.js';

/** A request to one of this module's routes, the same on Express and on Fastify. */
export interface ApiRequest {
  /** Upper-case method, after `X-HTTP-Method-Override`. */
  readonly method: string;
  /** The query string as it came, without `?`; it is parsed once, by the stage that knows its grammar. */
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
}

/** The answer to an {@link ApiRequest}. */
export interface ApiReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value; absent for an empty body (204). */
  readonly body?: unknown;
}
