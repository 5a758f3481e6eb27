import { type Relationship, type Resource } from '../../model/resource-model.js';
import { type SortKey } from '../parse/resource-query.js';

/** One key of the data client's `orderBy`. */
export type OrderBy = Readonly<Record<string, unknown>>;

/**
 * The `orderBy` of a sort. It is extended by the primary key, so that the order is total and pages never overlap (PG-04).
 *
 * @example
 * planOrder([{ kind: 'attribute', path: [author], attribute: name, direction: 'asc' }], post); // [{ author: { name: 'asc' } }, { id: 'asc' }]
 */
export function planOrder(sort: readonly SortKey[], resource: Resource): readonly OrderBy[] {
  const named = new Set(sort.flatMap((key) => (key.kind === 'attribute' && key.path.length === 0 ? [key.attribute.name] : [])));
  const rest = resource.orderKeys.filter((name) => !named.has(name));
  return [...sort.map(planKey), ...rest.map((name) => ({ [name]: 'asc' }))];
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
