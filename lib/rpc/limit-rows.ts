import { limitRelated } from '../limits/limit-related.js';
import { takeOneMore } from '../limits/up-to.js';
import type { DataCall } from '../executor/plan.js';
import type { Resource } from '../model/surface/surface.js';
import type { Query } from '../query/query.js';
import type { GroupBy } from '../query/read.js';
import { cutPage } from './arguments/cut-page.js';
import type { ArgumentPath } from './arguments/argument-path.js';

/**
 * Enforces `limits.maxTake` on the result of a call (public API, section 4). Results are never truncated: the query reads one row more, and the call
 * fails if there is one. The limit applies to the rows of the result, and to the sum of related rows.
 */
export function limitRows(resource: Resource, query: Query, path: ArgumentPath): DataCall {
  const { maxTake } = path;
  const limit = openLimitOf(query);
  const limited = limit === undefined ? query : cut(resource, query, path);
  const detail = `${path.text} found more rows than limits.maxTake allows: ${maxTake}. Ask for fewer with ${limit ?? 'take'}.`;
  const mayAddUp = path.isBatch && 'selection' in query;
  const expect = limitRelated(limited, { rows: maxTake, problem: { code: 'limit-exceeded', detail } }, limit !== undefined || mayAddUp);
  return { query: limited, ...(expect && { expect }) };
}

/** Returns the argument with which the client could have limited the rows, if it has not done so. */
function openLimitOf(query: Query): 'take' | 'limit' | undefined {
  if (query.kind === 'update-many') return query.selection && query.limit === undefined ? 'limit' : undefined;
  const returnsAll = query.kind === 'group-by' || (query.kind === 'find' && query.rows === 'many');
  return returnsAll && query.page.take === undefined ? 'take' : undefined;
}

function cut(resource: Resource, query: Query, path: ArgumentPath): Query {
  const { maxTake } = path;
  if (query.kind === 'find') return { ...query, ...cutPage(resource, query, path) };
  // Writes get no limit. Prisma would put it into a subquery, whose conditions the database does not evaluate again after a concurrent change of a
  // row.
  // Limits the groups. Because Prisma needs an order for this, groups are ordered by their fields unless the client gives an order.
  // Limits the groups. Because Prisma needs an order for this, groups are ordered by their fields unless the client gives an order.
  // Limits the groups. Because Prisma needs an order for this, groups are ordered by their fields unless the client gives an order.
  // Limits the groups. Because Prisma needs an order for this, groups are ordered by their fields unless the client gives an order.
  return query.kind === 'group-by' ? cutGroups(query, maxTake) : query;
}

/** Limits the groups. Because Prisma needs an order for this, groups are ordered by their fields unless the client gives an order. */
function cutGroups(query: GroupBy, maxTake: number): GroupBy {
  const limit = takeOneMore(maxTake);
  if (limit.take === undefined) return query;
  const fields = query.by.map((field) => ({ kind: 'field-term', path: [], field, direction: 'asc' }) as const);
  return { ...query, order: query.order.length > 0 ? query.order : fields, page: { ...query.page, ...limit } };
}
