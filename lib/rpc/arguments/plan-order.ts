import { mayFilter } from '../../model/field-rights.js';
import { givenEntries } from '../../model/given-entries.js';
import { type Attribute, type Field, type Relationship, type Resource } from '../../model/resource-model.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { type Aggregate, AGGREGATES } from './aggregates.js';
import { readPlainText } from './plan-scalar-filter.js';
import { requireAction } from './require-action.js';
import { type Spot } from './spot.js';
import { oneOrMany, readChoice, readObject } from './typed-slots.js';

/**
 * Plans an `orderBy`: by fields, by fields of to-one relations, by the number of related records, and by relevance of a text search. Every
 * field open to sorting, at every hop with the rights of its own model.
 */
export function planOrder(resource: Resource, value: unknown, spot: Spot): unknown {
  return planTerms(value, spot, (term, place) => planOrderTerm(resource, term, place));
}

/** Plans the `orderBy` of a `groupBy`: by fields and by aggregates, not through relations. */
export function planGroupOrder(resource: Resource, value: unknown, spot: Spot): unknown {
  return planTerms(value, spot, (term, place) =>
    planSingle(term, place, (key, direction, at) => {
      const aggregate = AGGREGATES.get(key);
      if (aggregate) return planAggregateOrder(resource, direction, { spot: at, aggregate });
      const field = resource.fields.get(key);
      if (field?.kind !== 'attribute') return at.refuseUnknown([...sortableNames(resource.attributes), ...AGGREGATES.keys()]);
      return planDirection(field, direction, at);
    }),
  );
}

/** The keys of an order that are no field's name. */
const ORDER_KEYS = { relevance: '_relevance', count: '_count' } as const;

function planTerms(value: unknown, spot: Spot, plan: (term: unknown, spot: Spot) => unknown): unknown {
  spot.spendTerms(Array.isArray(value) ? value.length : 1);
  return oneOrMany(value, spot, plan);
}

type KeyPlanner = (key: string, value: unknown, spot: Spot) => unknown;

/** An object of one key at most, as Prisma wants it: the order of several would be left to the order of members in JSON. */
function planSingle(value: unknown, spot: Spot, plan: KeyPlanner): Record<string, unknown> {
  const entries = givenEntries(readObject(value, spot));
  if (entries.length > 1) spot.refuse('must name one field; write a list of objects to sort by several.', 'invalid-sort');
  return Object.fromEntries(entries.map(([key, member]) => [key, plan(key, member, spot.member(key))]));
}

function planOrderTerm(resource: Resource, term: unknown, spot: Spot): Record<string, unknown> {
  return planSingle(term, spot, (key, value, place) => {
    if (key === ORDER_KEYS.relevance) return planRelevance(resource, value, place);
    const field = resource.fields.get(key) ?? place.refuseUnknown(sortableNames(resource.fields.values()));
    return field.kind === 'attribute' ? planDirection(field, value, place) : planRelationOrder(field, value, place);
  });
}

function planRelationOrder(relationship: Relationship, value: unknown, spot: Spot): unknown {
  requireSort(relationship, spot);
  requireAction(relationship.target, 'read', spot);
  if (!relationship.many) return planOrderTerm(relationship.target, value, spot);
  return planSingle(value, spot, (key, direction, place) =>
    key === ORDER_KEYS.count ? readDirection(direction, place) : place.refuseUnknown([ORDER_KEYS.count]),
  );
}

/** `'asc'`, or `{ sort: 'asc', nulls: 'last' }` for a field that may be null. */
function planDirection(attribute: Attribute, value: unknown, spot: Spot): unknown {
  requireSort(attribute, spot);
  if (!isPlainObject(value) || !attribute.optional) return readDirection(value, spot);
  const { sort, nulls, ...others } = readObject(value, spot);
  for (const key of Object.keys(others)) spot.member(key).refuseUnknown(['sort', 'nulls']);
  const direction = readDirection(sort, spot.member('sort'));
  return nulls === undefined ? { sort: direction } : { sort: direction, nulls: readChoice(nulls, spot.member('nulls'), ['first', 'last']) };
}

function readDirection(value: unknown, spot: Spot): string {
  return readChoice(value, spot, ['asc', 'desc']);
}

/** A search in fields: it tells about their contents as a filter by `search` does. */
function planRelevance(resource: Resource, value: unknown, spot: Spot): unknown {
  const { fields, search, sort, ...others } = readObject(value, spot);
  for (const key of Object.keys(others)) spot.member(key).refuseUnknown(['fields', 'search', 'sort']);
  const place = spot.member('fields');
  if (Array.isArray(fields)) spot.spendTerms(fields.length);
  return {
    fields: oneOrMany(fields, place, (name, at) => readSearchable(resource, name, at)),
    search: readPlainText(search, spot.member('search')),
    sort: readDirection(sort, spot.member('sort')),
  };
}

function readSearchable(resource: Resource, name: unknown, spot: Spot): string {
  const field = typeof name === 'string' ? resource.fields.get(name) : undefined;
  if (field?.kind !== 'attribute' || field.type !== 'String') return spot.refuse(`must be the name of a text field of ${resource.model}.`);
  requireSort(field, spot);
  if (!mayFilter(field.rights, 'search')) spot.refuse('may not be searched.', 'invalid-sort');
  return field.name;
}

interface AggregateOrder {
  readonly spot: Spot;
  readonly aggregate: Aggregate;
}

function planAggregateOrder(resource: Resource, value: unknown, { spot, aggregate }: AggregateOrder): unknown {
  return planSingle(value, spot, (key, direction, place) => {
    const field = resource.fields.get(key);
    if (field?.kind !== 'attribute' || !aggregate.takes(field)) return place.refuseUnknown(sortableNames(resource.attributes));
    requireSort(field, place);
    return readDirection(direction, place);
  });
}

function requireSort(field: Field, spot: Spot): void {
  if (!field.rights.sort) spot.refuse('may not be used to sort.', 'invalid-sort');
}

/** For suggestions: the fields that an order may name. */
function sortableNames(fields: Iterable<Field>): readonly string[] {
  return [...fields].filter(({ rights }) => rights.sort).map(({ name }) => name);
}
