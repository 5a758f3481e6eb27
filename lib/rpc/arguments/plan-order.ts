import { dropRepeatedKeys } from '../../cost/drop-repeated-keys.js';
import { givenEntries } from '../../model/given-entries.js';
import type { Attribute, Field, Relationship, Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { type Aggregate, AGGREGATES } from './aggregates.js';
import { readPlainText } from './plan-scalar-filter.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { oneOrMany, readChoice, readObject } from './typed-slots.js';
import { mayFilter } from '../../model/surface/rights.js';

/**
 * Plans an `orderBy`: by fields, by fields of to-one relations, by the number of related records, and by relevance of a text search. Every
 * field open to sorting, at every hop with the rights of its own model.
 */
export function planOrder(resource: Resource, value: unknown, path: ArgumentPath): unknown {
  return planTerms(value, path, (term, place) => planOrderTerm(resource, term, place));
}

/** Plans the `orderBy` of a `groupBy`: by fields and by aggregates, not through relations. */
export function planGroupOrder(resource: Resource, value: unknown, path: ArgumentPath): unknown {
  return planTerms(value, path, (term, place) =>
    planSingle(term, place, (key, direction, at) => {
      const aggregate = AGGREGATES.get(key);
      if (aggregate) return planAggregateOrder(resource, direction, { path: at, aggregate });
      const field = resource.fields.get(key);
      if (field?.kind !== 'attribute') return at.refuseUnknown([...sortableNames(resource.attributes), ...AGGREGATES.keys()]);
      return planDirection(field, direction, at);
    }),
  );
}

/** The keys of an order that are no field's name. */
const ORDER_KEYS = { relevance: '_relevance', count: '_count' } as const;

function planTerms(value: unknown, path: ArgumentPath, plan: (term: unknown, path: ArgumentPath) => unknown): unknown {
  path.spendTerms(Array.isArray(value) ? value.length : 1);
  const planned = oneOrMany(value, path, plan);
  return Array.isArray(planned) ? dropRepeatedKeys(planned) : planned;
}

type KeyPlanner = (key: string, value: unknown, path: ArgumentPath) => unknown;

/** An object of one key at most, as Prisma wants it: the order of several would be left to the order of members in JSON. */
function planSingle(value: unknown, path: ArgumentPath, plan: KeyPlanner): Record<string, unknown> {
  const entries = givenEntries(readObject(value, path));
  if (entries.length > 1) path.refuse('must name one field; write a list of objects to sort by several.', 'invalid-sort');
  return Object.fromEntries(entries.map(([key, member]) => [key, plan(key, member, path.member(key))]));
}

/** Where Prisma takes no empty object. */
function planExactlyOne(value: unknown, path: ArgumentPath, plan: KeyPlanner): Record<string, unknown> {
  const planned = planSingle(value, path, plan);
  if (Object.keys(planned).length === 0) path.refuse('must name what to sort by.', 'invalid-sort');
  return planned;
}

function planOrderTerm(resource: Resource, term: unknown, path: ArgumentPath): Record<string, unknown> {
  return planSingle(term, path, (key, value, place) => {
    if (key === ORDER_KEYS.relevance) return planRelevance(resource, value, place);
    const field = resource.fields.get(key) ?? place.refuseUnknown(sortableNames(resource.fields.values()));
    return field.kind === 'attribute' ? planDirection(field, value, place) : planRelationOrder(field, value, place);
  });
}

function planRelationOrder(relationship: Relationship, value: unknown, path: ArgumentPath): unknown {
  requireSort(relationship, path);
  requireAction(relationship.target, 'read', path);
  if (!relationship.many) return planOrderTerm(relationship.target, value, path);
  return planExactlyOne(value, path, (key, direction, place) =>
    key === ORDER_KEYS.count ? readDirection(direction, place) : place.refuseUnknown([ORDER_KEYS.count]),
  );
}

/** `'asc'`, or `{ sort: 'asc', nulls: 'last' }` for a field that may be null. */
function planDirection(attribute: Attribute, value: unknown, path: ArgumentPath): unknown {
  requireSort(attribute, path);
  if (!isPlainObject(value) || !attribute.optional) return readDirection(value, path);
  const { sort, nulls, ...others } = readObject(value, path);
  for (const key of Object.keys(others)) path.member(key).refuseUnknown(['sort', 'nulls']);
  const direction = readDirection(sort, path.member('sort'));
  return nulls === undefined ? { sort: direction } : { sort: direction, nulls: readChoice(nulls, path.member('nulls'), ['first', 'last']) };
}

function readDirection(value: unknown, path: ArgumentPath): string {
  return readChoice(value, path, ['asc', 'desc']);
}

/** A search in fields: it tells about their contents as a filter by `search` does. */
function planRelevance(resource: Resource, value: unknown, path: ArgumentPath): unknown {
  const { fields, search, sort, ...others } = readObject(value, path);
  for (const key of Object.keys(others)) path.member(key).refuseUnknown(['fields', 'search', 'sort']);
  const place = path.member('fields');
  if (Array.isArray(fields)) path.spendTerms(fields.length);
  return {
    fields: oneOrMany(fields, place, (name, at) => readSearchable(resource, name, at)),
    search: readPlainText(search, path.member('search')),
    sort: readDirection(sort, path.member('sort')),
  };
}

function readSearchable(resource: Resource, name: unknown, path: ArgumentPath): string {
  const field = typeof name === 'string' ? resource.fields.get(name) : undefined;
  if (field?.kind !== 'attribute' || field.type !== 'String') return path.refuse(`must be the name of a text field of ${resource.model}.`);
  requireSort(field, path);
  if (!mayFilter(field.rights, 'search')) path.refuse('may not be searched.', 'invalid-sort');
  return field.name;
}

interface AggregateOrder {
  readonly path: ArgumentPath;
  readonly aggregate: Aggregate;
}

function planAggregateOrder(resource: Resource, value: unknown, { path, aggregate }: AggregateOrder): unknown {
  return planExactlyOne(value, path, (key, direction, place) => {
    const field = resource.fields.get(key);
    if (field?.kind !== 'attribute' || !aggregate.takes(field)) return place.refuseUnknown(sortableNames(resource.attributes));
    requireSort(field, place);
    return readDirection(direction, place);
  });
}

function requireSort(field: Field, path: ArgumentPath): void {
  if (!field.rights.sort) path.refuse('may not be used to sort.', 'invalid-sort');
}

/** For suggestions: the fields that an order may name. */
function sortableNames(fields: Iterable<Field>): readonly string[] {
  return [...fields].filter(({ rights }) => rights.sort).map(({ name }) => name);
}
