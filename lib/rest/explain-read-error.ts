import { ApiError } from '../errors/api-error.js';
import type { ResourceQuery } from './parse/resource-query.js';

/**
 * Adds the query parameter to an error of the data layer that a full-text search has caused. Only the database can check the syntax of a search.
 * Other errors, and errors that the application has mapped, are returned unchanged.
 */
export function explainReadError(error: ApiError, { parameters, resource }: ResourceQuery): ApiError {
  const [{ code, source }] = error.problems;
  const parameter = parameters.map(([name]) => name).find((name) => SEARCH.test(name));
  if (!error.orm || source || code !== 'query-error' || parameter === undefined) return error;
  const detail = `The database (${resource.database.provider}) refused the operator '$search': full-text search is not set up there, or the text is no query in its syntax.`;
  return new ApiError('invalid-filter', detail, { source: { parameter }, orm: error.orm, cause: error.cause });
}

/** Matches the three ways to write the operator `$search`. */
const SEARCH = /^(?:filter|includeFilter)\[.+(?:\$|\]\[)search\]$/;
