import type { Attribute, Field, Relationship, Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { planJsonFilter } from './plan-json-filter.js';
import { planListFilter } from './plan-list-filter.js';
import { planScalarFilter } from './plan-scalar-filter.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { oneOrMany, readList, readObject } from './typed-slots.js';

/** Plans one condition, on a field of the resource. */
export type FieldPlanner = (field: Field, value: unknown, path: ArgumentPath) => unknown;

/**
 * Plans a `where`: every field known and open to filtering, at every hop with the rights of the model that it belongs to.
 *
 * `undefined` is refused wherever it stands: left out it would widen the filter (security case 14).
 */
export function planWhere(resource: Resource, value: unknown, path: ArgumentPath): Record<string, unknown> {
  requireAction(resource, 'read', path);
  return planConditions(planFieldFilter, resource)(value, path);
}

/** Plans the `where` of a nested `updateMany` or `deleteMany`, which reaches into no relation. */
export function planScalarWhere(resource: Resource, value: unknown, path: ArgumentPath): Record<string, unknown> {
  requireAction(resource, 'read', path);
  return planConditions((field, condition, place) => {
    if (field.kind === 'relationship') place.refuse('is a relation; this filter takes plain fields only.', 'invalid-filter');
    return planFieldFilter(field, condition, place);
  }, resource)(value, path);
}

/** Plans an object of conditions with `AND`, `OR` and `NOT`; what a field's condition looks like is the given planner's. */
export function planConditions(
  planField: FieldPlanner,
  resource: Resource,
): (value: unknown, path: ArgumentPath) => Record<string, unknown> {
  return function plan(value, path) {
    const conditions = readObject(value, path);
    const keys = Object.keys(conditions);
    if (keys.length === 0) path.spendTerms(1);
    const planned: Record<string, unknown> = {};
    for (const key of keys) {
      const place = path.member(key);
      const field = resource.fields.get(key);
      if (field !== undefined) planned[key] = planField(field, conditions[key], place);
      else if (LOGICAL.has(key)) planned[key] = planLogical(conditions[key], place, { isList: key === 'OR', plan });
      else place.refuseUnknown([...filterableNames(resource), ...LOGICAL]);
    }
    return planned;
  };
}

/** For suggestions: the fields that a filter may name. */
export function filterableNames({ fields }: Resource): readonly string[] {
  return [...fields.values()].filter(({ rights }) => rights.filter !== false).map(({ name }) => name);
}

/** Prisma's connectives in a filter. */
export const LOGICAL: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

interface Connective {
  /** `OR` takes a list only. */
  readonly isList: boolean;
  readonly plan: (value: unknown, path: ArgumentPath) => unknown;
}

function planLogical(value: unknown, path: ArgumentPath, { isList, plan }: Connective): unknown {
  if (isList) readList(value, path);
  if (Array.isArray(value)) path.spendTerms(value.length === 0 ? 1 : 0);
  return oneOrMany(value, path, plan);
}

/** Plans the condition on one field. */
export function planFieldFilter(field: Field, value: unknown, path: ArgumentPath): unknown {
  if (field.rights.filter === false) path.refuse('may not be used to filter.', 'invalid-filter');
  return field.kind === 'relationship' ? planRelationFilter(field, value, path) : planAttributeFilter(field, value, path);
}

function planAttributeFilter(attribute: Attribute, value: unknown, path: ArgumentPath): unknown {
  if (attribute.list) return planListFilter(attribute, value, path);
  return attribute.type === 'Json' ? planJsonFilter(attribute, value, path) : planScalarFilter(attribute, value, path);
}

function planRelationFilter(relationship: Relationship, value: unknown, path: ArgumentPath): unknown {
  const { target, many } = relationship;
  requireAction(target, 'read', path);
  if (many) return planQuantified(target, readObject(value, path), { path, operators: TO_MANY_OPERATORS });
  if (value === null) return planNoRecord(relationship, path);
  if (!isPlainObject(value) || !Object.keys(value).some((key) => TO_ONE_OPERATORS.has(key))) return planWhere(target, value, path);
  return planQuantified(target, readObject(value, path), { path, operators: TO_ONE_OPERATORS, relationship });
}

/** Prisma's filters on relations. */
export const TO_MANY_OPERATORS: ReadonlySet<string> = new Set(['some', 'every', 'none']);
export const TO_ONE_OPERATORS: ReadonlySet<string> = new Set(['is', 'isNot']);

interface Quantified {
  readonly path: ArgumentPath;
  readonly operators: ReadonlySet<string>;
  /** Given for a to-one relation, whose operators may take null. */
  readonly relationship?: Relationship;
}

function planQuantified(
  target: Resource,
  filter: Readonly<Record<string, unknown>>,
  { path, operators, relationship }: Quantified,
): unknown {
  if (Object.keys(filter).length === 0) path.spendTerms(1);
  const planned: Record<string, unknown> = {};
  for (const key of Object.keys(filter)) {
    const place = path.member(key);
    if (!operators.has(key)) place.refuseUnknown(operators);
    const isNull = filter[key] === null && relationship !== undefined;
    planned[key] = isNull ? planNoRecord(relationship, place) : planWhere(target, filter[key], place);
  }
  return planned;
}

/** Null as a condition: the relation leads to no record. */
function planNoRecord({ optional }: Relationship, path: ArgumentPath): null {
  if (!optional) path.refuse('must not be null: the relation is required.', 'invalid-value');
  path.spendTerms(1);
  return null;
}
