import { ApiError } from '../../errors/api-error.js';
import type { Resource } from '../../model/surface/surface.js';
import { parseParameters } from './parse-parameters.js';
import { parseQuery } from './parse-query.js';
import type { SingleQuery } from './resource-query.js';
import type { RestContext } from './rest-context.js';

/**
 * Reads the query string of a create or an update, which says how its answer shows the resource (IN-05, SF-03). Of a resource that is closed to
 * readers it shows the identity alone: a write must not be a way to read.
 *
 * @throws ApiError with `source.parameter`
 */
export function parseAnswerQuery(resource: Resource, search: string, context: RestContext): SingleQuery {
  const query = parseQuery({ kind: 'resource', resource }, search, context);
  if (resource.actions.has('read')) return query;
  return { ...query, compound: false, hasCursors: false, projection: context.projections.bareOf(resource) };
}

/**
 * Checks the query string of a request whose answer is empty: no parameter means anything there (IN-01).
 *
 * @throws ApiError `unsupported-parameter`
 */
export function checkNoQuery(search: string, { limits }: RestContext): void {
  const { problems } = parseParameters(search, [], limits);
  if (problems.length > 0) throw ApiError.of(problems);
}
