import { ApiError } from '../../errors/api-error.js';
import type { Storage } from '../../model/storage/storage.js';
import { isTsQuery } from '../../model/values/ts-query.js';
import type { Filter } from '../parse/filter.js';
import type { CollectionQuery } from '../parse/resource-query.js';

/**
 * Refuses a full-text search for what is no query of PostgreSQL: its error would tell whether the database came to look at a row.
 *
 * @throws ApiError
 */
export function requireQueries({ filter, parameters, resource: { database } }: CollectionQuery): void {
  if (filter) requireSearches(filter, database, () => parameters.map(([name]) => name).find((name) => SEARCH.test(name)) ?? 'filter');
}

/**
 * The same for any filter.
 *
 * @param parameterOf names the parameter that is to blame
 * @throws ApiError
 */
export function requireSearches(filter: Filter, { orm, provider }: Pick<Storage, 'orm' | 'provider'>, parameterOf: () => string): void {
  if (orm !== 'prisma' || provider !== 'postgresql' || searchesOf(filter).every(isTsQuery)) return;
  const parameter = parameterOf();
  const detail = `The database (postgresql) refused the operator '$search': the text is no query in its syntax.`;
  throw new ApiError('invalid-filter', detail, { source: { parameter } });
}

/** The three ways to write the operator (decision D9). */
const SEARCH = /^filter\[.+(?:\$|\]\[)search\]$/;

function searchesOf(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return filter.filters.flatMap(searchesOf);
    case 'relation':
      return searchesOf(filter.filter);
    case 'attribute':
      return filter.operator.prisma[0] === 'search' ? filter.values.map(String) : [];
    case 'key':
    case 'presence':
      return [];
  }
}
