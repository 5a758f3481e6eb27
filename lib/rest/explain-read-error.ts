import { ApiError } from '../errors/api-error.js';
import type { ResourceQuery } from './parse/resource-query.js';

/**
 * Says of an error of the data layer which parameter it is about, where that is beyond doubt: a full-text search, which is the one thing in a
 * query that only the database can check. Any other error, and a host's own mapping of one, stays as it is.
 */
export function explainReadError(error: ApiError, { parameters, resource }: ResourceQuery): ApiError {
  const [{ code, source }] = error.problems;
  const parameter = parameters.map(([name]) => name).find((name) => SEARCH.test(name));
  if (!error.orm || source || code !== 'query-error' || parameter === undefined) return error;
  const detail = `The database (${resource.database.provider}) refused the operator '$search': full-text search is not set up there, or the text is no query in its syntax.`;
  return new ApiError('invalid-filter', detail, { source: { parameter }, orm: error.orm, cause: error.cause });
}

/** The three ways to write the operator (decision D9). */
const SEARCH = /^(?:filter|includeFilter)\[.+(?:\$|\]\[)search\]$/;
