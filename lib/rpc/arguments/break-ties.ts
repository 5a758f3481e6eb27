import type { Resource } from '../../model/surface/surface.js';
import { type Order, withoutRepeats } from '../../query/order.js';
import type { Query } from '../../query/query.js';
import type { GroupBy } from '../../query/read.js';
import type { ArgumentPath } from './argument-path.js';
import { orderPage } from './order-page.js';

/**
 * Continues the order of a query that reads a part of its rows or groups, where it leaves ties: any two pages of one order have no row in common, and together
 * they miss none.
 *
 * @throws ApiError where there is no order for rows that have no key
 */
export function breakTies(resource: Resource, query: Query, path: ArgumentPath): Query {
  if (query.kind === 'group-by') return withOrder(query, orderGroups(query));
  return 'order' in query ? withOrder(query, orderPage(resource, query, path)) : query;
}

function withOrder<Ordered extends { readonly order: Order }>(query: Ordered, order: Order): Ordered {
  return order === query.order ? query : { ...query, order };
}

/** A group is named by the fields of `by`. */
function orderGroups({ by, order, page: { take, skip } }: GroupBy): Order {
  if (order.length === 0 || (take === undefined && skip === undefined)) return order;
  const fields = by.map((field) => ({ kind: 'field-term', path: [], field, direction: 'asc' }) as const);
  return withoutRepeats([...order, ...fields]);
}
