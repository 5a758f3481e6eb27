import { ApiError } from '../../../lib/errors/api-error.js';
import type { ApiRequest } from '../../../lib/http/api-request.js';

export interface FakeRequest {
  readonly method?: string;
  /** Query parameters, percent-encoded here. */
  readonly query?: Readonly<Record<string, string>>;
  /** The query string as it is, in place of `query`. */
  readonly search?: string;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}

/** A request as the platform hands it over. */
export function fakeRequest({ method = 'GET', query = {}, search, body, ...more }: FakeRequest = {}): ApiRequest {
  const hasBody = body !== undefined;
  const contentType = 'contentType' in more ? more.contentType : 'application/json';
  return {
    method,
    search:
      search ??
      Object.entries(query)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&'),
    headers: hasBody ? { 'content-type': contentType } : {},
    hasBody,
    json: () => {
      if (!hasBody) throw new ApiError('invalid-payload', 'The request needs a JSON body, and has none.');
      return body;
    },
    form: () => (typeof body === 'string' ? body : ''),
    client: () => Promise.reject(new Error('Parsing needs no data client.')),
  };
}

/** Returns `400 sentence` of a refusal, and `accepted` otherwise. */
export function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof ApiError ? `${error.problems[0].code}: ${error.message}` : `no ApiError: ${String(error)}`;
  }
  return 'accepted';
}
