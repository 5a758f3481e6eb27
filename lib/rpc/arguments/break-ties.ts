import { hasWholeKey, isTotal } from '../../query/order.js';
import type { StoredKey, StoredModel } from '../../model/storage/storage.js';
import { fieldNamed } from '../../query/fields.js';
import type { Query } from '../../query/query.js';

/**
 * A page from a cursor, with a key at the end of an order that leaves open which of two rows comes first: else the data client reads all rows
 * behind the cursor, and takes the page of them in memory. In an order by what may be null it does so all the same; there the key says which of the rows without a value
 * are behind the cursor, which each statement would answer in its own way.
 */
export function breakTies(query: Query): Query {
  if (query.kind !== 'find' || !query.page.cursor || query.page.distinct) return query;
  const { model, order } = query;
  const key = isTotal(order, model) || hasWholeKey(order, model) ? undefined : keyOfOrders(model);
  if (!key) return query;
  const terms = key.fields.map((name) => ({ kind: 'field-term', path: [], field: fieldNamed(model, name), direction: 'asc' }) as const);
  return { ...query, order: [...order, ...terms] };
}

/** A key that the data client takes for one of an order: no primary one of several fields. */
function keyOfOrders({ primaryKey, uniqueKeys, fields }: StoredModel): StoredKey | undefined {
  if (primaryKey?.fields.length === 1) return primaryKey;
  return uniqueKeys.find((key) => key.fields.every((name) => fields.get(name)?.optional === false));
}
