import type { Contract } from './check-contract.js';
import { checkRestResponse, type RawResponse } from './check-rest-response.js';
import type { ErrorObject, JsonApiDocument, ResourceObject } from './json-api-document.js';
import { type Agent, type Method, type OutgoingRequest, sendRequest } from './send-request.js';

export interface RestClientOptions {
  readonly agent: Agent;
  /** Path of the REST API, e.g. `/api/rest`. */
  readonly prefix: string;
  /** Whether the API runs with `rest.strict`. */
  readonly strict: boolean;
  readonly endpoint: string;
  /** The contract of responses, from the OpenAPI document of the application. */
  readonly contract?: () => Contract;
}

export interface RestRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** A document, or a text that is sent as it is. */
  readonly body?: unknown;
}

const MEDIA_TYPE = 'application/vnd.api+json';

/**
 * A client of the REST style for tests. It sends the given request, and checks what each response has to fulfil
 * (`checkRestResponse`), so that a test about sorting fails when the document has a broken link.
 *
 * @example
 * const { many, document } = await app.rest.get('/post?sort=-id');
 * const { errors } = await app.rest.post('/post', { data: { type: 'post' } });
 */
export class RestClient {
  constructor(private readonly options: RestClientOptions) {}

  get(path: string, headers?: Readonly<Record<string, string>>): Promise<RestResponse> {
    return this.request('GET', path, { ...(headers && { headers }) });
  }

  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<RestResponse> {
    return this.request('POST', path, { body, ...(headers && { headers }) });
  }

  put(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<RestResponse> {
    return this.request('PUT', path, { body, ...(headers && { headers }) });
  }

  patch(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<RestResponse> {
    return this.request('PATCH', path, { body, ...(headers && { headers }) });
  }

  delete(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<RestResponse> {
    return this.request('DELETE', path, { body, ...(headers && { headers }) });
  }

  /**
   * @param path below the API's prefix, e.g. `/post/1`
   * @throws when the answer breaks a rule that holds for every answer
   */
  async request(method: Method, path: string, { headers, body }: RestRequest = {}): Promise<RestResponse> {
    const { agent, prefix, strict, endpoint, contract } = this.options;
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const outgoing: OutgoingRequest = {
      method,
      path: `${prefix}${path}`,
      headers: { ...(text !== undefined && { 'Content-Type': MEDIA_TYPE }), ...headers },
      ...(text !== undefined && { body: text }),
    };
    const response = await sendRequest(agent, outgoing);
    const faults = [
      ...checkRestResponse(response, { strict, endpoint, bodiless: method === 'HEAD' }),
      ...(contract?.().check(outgoing, response) ?? []),
    ];
    if (faults.length > 0) throw new BrokenResponseError(`${method} ${path}`, response, faults);
    return new RestResponse(response);
  }
}

/** An answer that passed every check. */
export class RestResponse {
  readonly status: number;
  readonly headers: RawResponse['headers'];
  readonly text: string;

  constructor({ status, headers, text }: RawResponse) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** @throws when the answer had no body */
  get document(): JsonApiDocument {
    if (this.text === '') throw new Error(`The answer has status ${this.status} and no body.`);
    return JSON.parse(this.text) as JsonApiDocument;
  }

  /** The primary data, where they are one resource. */
  get one(): ResourceObject {
    const { data } = this.document;
    if (data === undefined || data === null || isList(data)) throw new Error(`The data are not one resource: ${this.text}`);
    return data;
  }

  /** The primary data, where they are a collection. */
  get many(): readonly ResourceObject[] {
    const { data } = this.document;
    if (data === undefined || data === null || !isList(data)) throw new Error(`The data are no collection: ${this.text}`);
    return data;
  }

  /** The ids of {@link many}. */
  get ids(): readonly (string | number)[] {
    return this.many.map(({ id }) => id);
  }

  /** The errors; none on success. */
  get errors(): readonly ErrorObject[] {
    return this.document.errors ?? [];
  }

  get included(): readonly ResourceObject[] {
    return this.document.included ?? [];
  }
}

/** A finding about the API, not about the test: it names the request, each breach, and the answer. */
export class BrokenResponseError extends Error {
  override readonly name = 'BrokenResponseError';

  constructor(request: string, { status, text }: RawResponse, faults: readonly string[]) {
    super(
      [`${request} was answered with ${status}, which breaks a rule for every answer:`, ...faults.map((fault) => `- ${fault}`), text].join(
        '\n',
      ),
    );
  }
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
