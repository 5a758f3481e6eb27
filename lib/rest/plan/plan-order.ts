import { dropRepeatedKeys } from '../../cost/drop-repeated-keys.js';
import type { Storage } from '../../model/storage/storage.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import type { SortKey } from '../parse/resource-query.js';
import { keyOrder } from '../projection/key-order.js';

/** One key of the data client's `orderBy`. */
export type OrderBy = Readonly<Record<string, unknown>>;

/**
 * The `orderBy` of a sort. It is extended by the primary key, so that the order is total and pages never overlap (PG-04).
 *
 * @example
 * planOrder([{ kind: 'attribute', path: [author], attribute: name, direction: 'asc' }], post, storage); // [{ author: { name: 'asc' } }, { id: 'asc' }]
 */
export function planOrder(sort: readonly SortKey[], resource: Resource, storage: Storage): readonly OrderBy[] {
  const named = new Set(sort.flatMap((key) => (key.kind === 'attribute' && key.path.length === 0 ? [key.attribute.name] : [])));
  const rest = keyOrder(resource, storage).filter((name) => !named.has(name));
  return dropRepeatedKeys([...planSort(sort), ...rest.map((name) => ({ [name]: 'asc' }))]);
}

/** The keys that the client has asked for. */
export function planSort(sort: readonly SortKey[]): readonly OrderBy[] {
  return sort.map(planKey);
}

function planKey(key: SortKey): OrderBy {
  switch (key.kind) {
    case 'attribute':
      return reach(key.path, { [key.attribute.name]: key.direction });
    case 'count':
      return reach(key.path, { [key.relationship.name]: { _count: key.direction } });
  }
}

function reach(path: readonly Relationship[], order: OrderBy): OrderBy {
  return path.reduceRight((inner, { name }) => ({ [name]: inner }), order);
}
