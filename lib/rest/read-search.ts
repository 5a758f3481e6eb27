import type { ApiRequest } from '../platform/api-request.js';
import { checkQueryType } from './media-type.js';
import { checkNoQuery } from './parse/parse-answer-query.js';
import type { RestContext } from './parse/rest-context.js';

/**
 * What a read asks, as a query string without `?`: that of its URL, and for QUERY that in its body (RFC 10008), which has no limit by the length of URLs.
 *
 * @throws ApiError `unsupported-media-type` for another body than a form, `unsupported-parameter` for a query in the URL beside it
 */
export function readSearch(request: ApiRequest, context: RestContext): string {
  if (request.method !== 'QUERY') return request.search;
  checkQueryType(request.headers['content-type']);
  checkNoQuery(request.search, context);
  return request.form();
}
