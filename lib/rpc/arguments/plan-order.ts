import { givenEntries } from '../../model/given-entries.js';
import { storedField, storedHop } from '../../model/storage/stored-model.js';
import { mayFilter } from '../../model/surface/rights.js';
import { describeType } from '../../model/surface/lacked-comparisons.js';
import type { Attribute, Field, Relationship, Resource } from '../../model/surface/surface.js';
import { RELEVANCE } from '../../prisma/words.js';
import { RELATED_COUNT } from '../../query/selection.js';
import type { AggregateFunction } from '../../query/condition.js';
import { type Hop, type Order, type OrderTerm, withoutRepeats } from '../../query/order.js';
import type { StoredField } from '../../model/storage/storage.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { AGGREGATE, AGGREGATES } from '../../prisma/aggregates.js';
import { readSearch } from '../../prisma/read-text.js';
import { requireComputable } from './plan-aggregate.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { listOfOneOrMany, readChoice, readObject } from '../../prisma/typed-slots.js';

/**
 * Plans an `orderBy`: by fields, by fields of to-one relations, by the number of related records, and by relevance of a text search. Every field
 * needs the right `sort` of its own model.
 */
export function planOrder(resource: Resource, value: unknown, path: ArgumentPath): Order {
  return planTerms(value, path, (term, place) => planOrderTerm({ resource, hops: [] }, term, place));
}

/** Plans the `orderBy` of a `groupBy`: by fields and by aggregates, not through relations. */
export function planGroupOrder(resource: Resource, value: unknown, path: ArgumentPath): Order {
  return planTerms(value, path, (term, place) =>
    planSingle(term, place, (key, direction, at) => {
      if (isAggregate(key)) return planAggregateOrder(resource, direction, { path: at, aggregate: key });
      const field = resource.fields.get(key);
      if (field?.kind !== 'attribute') return at.refuseUnknown([...sortableNames(resource.attributes), ...AGGREGATES.keys()]);
      return planDirection({ resource, hops: [] }, field, { value: direction, path: at });
    }),
  );
}

function isAggregate(key: string): key is AggregateFunction {
  return AGGREGATES.has(key);
}

type TermPlanner = (term: unknown, path: ArgumentPath) => OrderTerm | undefined;

function planTerms(value: unknown, path: ArgumentPath, plan: TermPlanner): Order {
  path.spendTerms(Array.isArray(value) ? value.length : 1);
  const terms = listOfOneOrMany(value, path, plan);
  return withoutRepeats(terms.filter((term) => term !== undefined));
}

type KeyPlanner = (key: string, value: unknown, path: ArgumentPath) => OrderTerm | undefined;

/** Plans an object of at most one key, as Prisma requires, because the order of several keys would depend on the order of members in JSON. */
function planSingle(value: unknown, path: ArgumentPath, plan: KeyPlanner): OrderTerm | undefined {
  const [entry, ...others] = givenEntries(readObject(value, path));
  if (others.length > 0) path.refuse('must name one field; write a list of objects to sort by several.', 'invalid-sort');
  return entry && plan(entry[0], entry[1], path.member(entry[0]));
}

/** Plans an object of exactly one key, where Prisma rejects an empty object. */
function planExactlyOne(value: unknown, path: ArgumentPath, plan: KeyPlanner): OrderTerm | undefined {
  if (givenEntries(readObject(value, path)).length === 0) path.refuse('must name what to sort by.', 'invalid-sort');
  return planSingle(value, path, plan);
}

/** A model that an order reaches, and the relations to it. */
interface Reached {
  readonly resource: Resource;
  readonly hops: readonly Hop[];
}

function planOrderTerm(reached: Reached, term: unknown, path: ArgumentPath): OrderTerm | undefined {
  const { resource } = reached;
  return planSingle(term, path, (key, value, place) => {
    if (key === RELEVANCE) return planRelevance(reached, value, place);
    const field = resource.fields.get(key) ?? place.refuseUnknown(sortableNames(resource.fields.values()));
    return field.kind === 'attribute'
      ? planDirection(reached, field, { value, path: place })
      : planRelationOrder(reached, field, { value, path: place });
  });
}

interface Given {
  readonly value: unknown;
  readonly path: ArgumentPath;
}

function planRelationOrder({ hops }: Reached, relationship: Relationship, { value, path }: Given): OrderTerm | undefined {
  requireSort(relationship, path);
  requireAction(relationship.target, 'read', path);
  const hop = storedHop(path.storage, relationship);
  if (!relationship.many) return planOrderTerm({ resource: relationship.target, hops: [...hops, hop] }, value, path);
  return planExactlyOne(value, path, (key, direction, place) => {
    if (key !== RELATED_COUNT) return place.refuseUnknown([RELATED_COUNT]);
    return { kind: 'count-term', path: hops, counted: hop, direction: readDirection(direction, place), place: { path: path.text } };
  });
}

/** Plans `'asc'`, or `{ sort: 'asc', nulls: 'last' }` for a nullable field. */
function planDirection({ hops }: Reached, attribute: Attribute, { value, path }: Given): OrderTerm {
  requireSort(attribute, path);
  const place = hops.length > 0 && { place: { path: path.text } };
  const term = { kind: 'field-term', path: hops, field: storedField(path.storage, attribute), ...place } as const;
  if (!isPlainObject(value) || !attribute.optional) return { direction: readDirection(value, path), ...term };
  const { sort, nulls, ...others } = readObject(value, path);
  for (const key of Object.keys(others)) path.member(key).refuseUnknown(['sort', 'nulls']);
  const direction = readDirection(sort, path.member('sort'));
  return { direction, ...term, ...(nulls !== undefined && { nulls: readChoice(nulls, path.member('nulls'), ['first', 'last']) }) };
}

function readDirection(value: unknown, path: ArgumentPath): 'asc' | 'desc' {
  return readChoice(value, path, ['asc', 'desc']);
}

/** Plans an order by `_relevance`. It requires the right to filter by `search`, because it reveals the content of fields as such a filter does. */
function planRelevance({ resource, hops }: Reached, value: unknown, path: ArgumentPath): OrderTerm {
  const { fields, search, sort, ...others } = readObject(value, path);
  for (const key of Object.keys(others)) path.member(key).refuseUnknown(['fields', 'search', 'sort']);
  const place = path.member('fields');
  if (Array.isArray(fields)) path.spendTerms(fields.length);
  return {
    kind: 'relevance-term',
    path: hops,
    fields: listOfOneOrMany(fields, place, (name, at) => readSearchable(resource, name, at)),
    search: readSearch(search, path.member('search')),
    direction: readDirection(sort, path.member('sort')),
    ...(hops.length > 0 && { place: { path: path.text } }),
  };
}

function readSearchable(resource: Resource, name: unknown, path: ArgumentPath): StoredField {
  const field = typeof name === 'string' ? resource.fields.get(name) : undefined;
  if (field?.kind !== 'attribute' || field.type !== 'String') return path.refuse(`must be the name of a text field of ${resource.model}.`);
  requireSort(field, path);
  if (field.lacks?.has('folding'))
    path.refuse(`must be no field of type ${describeType(field)}, which has no full-text search.`, 'invalid-sort');
  if (!mayFilter(field.rights, 'search')) path.refuse('may not be searched.', 'invalid-sort');
  return storedField(path.storage, field);
}

interface AggregateOrder {
  readonly path: ArgumentPath;
  readonly aggregate: AggregateFunction;
}

function planAggregateOrder(resource: Resource, value: unknown, { path, aggregate }: AggregateOrder): OrderTerm | undefined {
  return planExactlyOne(value, path, (key, direction, place) => {
    const field = resource.fields.get(key);
    if (field?.kind !== 'attribute' || !AGGREGATE[aggregate].takes(field)) return place.refuseUnknown(sortableNames(resource.attributes));
    requireComputable(AGGREGATE[aggregate], field, place);
    requireSort(field, place);
    return { kind: 'aggregate-term', aggregate, field: storedField(place.storage, field), direction: readDirection(direction, place) };
  });
}

function requireSort(field: Field, path: ArgumentPath): void {
  if (field.rights.sort) return;
  if (field.kind === 'attribute' && field.closed.sort === 'column-type')
    path.refuse(`has the type ${describeType(field)}, which has no order.`, 'invalid-sort');
  path.refuse('may not be used to sort.', 'invalid-sort');
}

/** Returns the sortable fields, for suggestions. */
function sortableNames(fields: Iterable<Field>): readonly string[] {
  return [...fields].filter(({ rights }) => rights.sort).map(({ name }) => name);
}
