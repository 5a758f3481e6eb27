import { limitRelated } from '../limits/limit-related.js';
import { upTo } from '../limits/up-to.js';
import type { DataCall } from '../executor/plan.js';
import type { Resource } from '../model/surface/surface.js';
import type { Query } from '../query/query.js';
import type { GroupBy } from '../query/read.js';
import { cutPage } from './arguments/cut-page.js';
import type { ArgumentPath } from './arguments/argument-path.js';

/**
 * Keeps the result of a call within `limits.maxTake` (public API, section 4): nothing is cut, so that one row more is asked for, and the
 * call refused if it comes. The rows of a result are counted, and all related rows in it together.
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

/** The argument by which a client could have said how many rows it wants, where it has not. */
function openLimitOf(query: Query): 'take' | 'limit' | undefined {
  if (query.kind === 'update-many') return query.selection && query.limit === undefined ? 'limit' : undefined;
  const returnsAll = query.kind === 'group-by' || (query.kind === 'find' && query.rows === 'many');
  return returnsAll && query.page.take === undefined ? 'take' : undefined;
}

function cut(resource: Resource, query: Query, path: ArgumentPath): Query {
  const { maxTake } = path;
  if (query.kind === 'find') return { ...query, ...cutPage(resource, query, path) };
  // Prisma puts a limit of a write into a subquery, whose conditions are not looked at again once another transaction has changed a row.
  return query.kind === 'group-by' ? cutGroups(query, maxTake) : query;
}

/** Prisma limits groups in an order only: that of their fields, unless the client says another. */
function cutGroups(query: GroupBy, maxTake: number): GroupBy {
  const limit = upTo(maxTake);
  if (limit.take === undefined) return query;
  const fields = query.by.map((field) => ({ kind: 'field-term', path: [], field, direction: 'asc' }) as const);
  return { ...query, order: query.order.length > 0 ? query.order : fields, page: { ...query.page, ...limit } };
}
