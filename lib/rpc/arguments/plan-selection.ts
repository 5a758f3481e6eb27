import { givenEntries } from '../../model/given-entries.js';
import type { Field, Relationship, Resource } from '../../model/surface/surface.js';
import type { Argument } from './argument-planner.js';
import { cutList } from './cut-list.js';
import { planCountSelection } from './plan-count-selection.js';
import { planCursor } from './plan-cursor.js';
import { planOrder } from './plan-order.js';
import { planCount, planFieldNames, planTake } from './plan-page.js';
import { planWhere } from './plan-where.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { readBoolean, readObject } from './typed-slots.js';

/** What an operation or a selected relation says about its result. */
export interface Selection {
  readonly select?: unknown;
  readonly include?: unknown;
  readonly omit?: unknown;
}

/** The keys of {@link Selection}. Null in them is the same as absent, as in Prisma's types. */
export const SELECTION_KEYS: ReadonlySet<string> = new Set(['select', 'include', 'omit']);

/**
 * Plans what comes back, always as an explicit `select` of what the resource shows: what the data client would add by itself (a column that the
 * generated schema does not know, a computed field of `$extends` that `resources` does not name) is not even loaded. Prisma computes the named ones
 * for exactly such a `select`.
 *
 * A client's `select` may name what may be read. Without one the `select` names all plain fields but those of `omit`, and what `include` names.
 *
 * @param selection the argument object of an operation or a relation; its other keys are not looked at
 */
export function planSelection(resource: Resource, selection: Selection, path: ArgumentPath): { readonly select: Select } {
  const { select, include, omit } = selection;
  if (!isGiven(select)) {
    const plain = planPlain(resource, omit, path);
    const all = isGiven(include) ? { ...plain, ...planInclude(resource, include, path) } : plain;
    return { select: requireAny(all, isGiven(omit) ? path.member('omit') : path) };
  }
  if (isGiven(include)) path.refuse('takes either select or include, not both.', 'invalid-fields');
  if (isGiven(omit)) path.refuse('takes either select or omit, not both.', 'invalid-fields');
  const place = path.member('select');
  return {
    select: requireAny(
      planMembers(select, place, (key, value, at) => planSelected(resource, key, { value, path: at })),
      place,
    ),
  };
}

function requireAny(select: Select, path: ArgumentPath): Select {
  if (Object.values(select).every((value) => value === false)) path.refuse('must leave at least one field to select.', 'invalid-fields');
  return select;
}

type Select = Readonly<Record<string, unknown>>;

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

interface Member {
  readonly value: unknown;
  /** The path of the object that holds it. */
  readonly path: ArgumentPath;
}

function planMembers(
  value: unknown,
  path: ArgumentPath,
  plan: (key: string, value: unknown, path: ArgumentPath) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(givenEntries(readObject(value, path)).map(([key, member]) => [key, plan(key, member, path)]));
}

const COUNT = '_count';

function planSelected(resource: Resource, key: string, { value, path }: Member): unknown {
  if (key === COUNT) return planCountSelection(resource, value, path.member(key));
  const field = resource.fields.get(key) ?? path.member(key).refuseUnknown([...readableNames(resource.fields.values()), COUNT]);
  if (field.kind === 'relationship') return planRelation(field, value, path);
  if (readBoolean(value, path.member(key))) requireRead(field, path);
  return value;
}

function planInclude(resource: Resource, include: unknown, path: ArgumentPath): Select {
  return planMembers(include, path.member('include'), (key, value, place) => {
    if (key === COUNT) return planCountSelection(resource, value, place.member(key));
    const field = resource.fields.get(key) ?? place.member(key).refuseUnknown([...readableNames(resource.relationships), COUNT]);
    if (field.kind === 'attribute') return place.member(key).refuse('is a plain field; include takes relations only.', 'invalid-include');
    return planRelation(field, value, place);
  });
}

/** The plain fields that may be read, without those that `omit` leaves out. */
function planPlain(resource: Resource, omit: unknown, path: ArgumentPath): Select {
  const all = plainFields(resource);
  if (!isGiven(omit)) return all;
  const planned = planMembers(omit, path.member('omit'), (key, value, place) => {
    const field = resource.fields.get(key);
    if (field?.kind !== 'attribute') return place.member(key).refuseUnknown(readableNames(resource.attributes));
    const isOmitted = readBoolean(value, place.member(key));
    if (!isOmitted) requireRead(field, place);
    return isOmitted;
  });
  return Object.fromEntries(Object.entries(all).filter(([name]) => planned[name] !== true));
}

const PLAIN_FIELDS = new WeakMap<Resource, Select>();

function plainFields(resource: Resource): Select {
  let fields = PLAIN_FIELDS.get(resource);
  if (!fields) {
    fields = Object.freeze(Object.fromEntries(readableNames(resource.attributes).map((name) => [name, true])));
    PLAIN_FIELDS.set(resource, fields);
  }
  return fields;
}

function planRelation(relationship: Relationship, value: unknown, parent: ArgumentPath): unknown {
  if (value === false) return false;
  const { target } = relationship;
  const path = parent.relation(relationship);
  requireRead(relationship, parent);
  requireAction(target, 'read', path);
  return planRelationArguments(relationship, value === true ? {} : readObject(value, path), path);
}

function planRelationArguments(
  relationship: Relationship,
  given: Readonly<Record<string, unknown>>,
  path: ArgumentPath,
): Record<string, unknown> {
  const known = relationArguments(relationship);
  const planned: Record<string, unknown> = {};
  for (const [key, value] of givenEntries(given)) {
    if (SELECTION_KEYS.has(key)) continue;
    const { plan } = known.get(key) ?? path.member(key).refuseUnknown([...known.keys(), ...SELECTION_KEYS]);
    planned[key] = plan(relationship.target, value, path.member(key));
  }
  const limited = relationship.many ? cutList(planned, path.maxTake) : planned;
  return { ...limited, ...planSelection(relationship.target, given, path) };
}

const WHERE: Argument = { plan: planWhere, takes: 'where' };

/** Arguments of a selected to-many relation, apart from its own selection. */
export const TO_MANY_ARGUMENTS: ReadonlyMap<string, Argument> = new Map<string, Argument>([
  ['where', WHERE],
  ['orderBy', { plan: planOrder, takes: 'order' }],
  ['cursor', { plan: planCursor, takes: 'cursor' }],
  ['take', { plan: planTake, takes: 'take' }],
  ['skip', { plan: planCount, takes: 'count' }],
  ['distinct', { plan: planFieldNames, takes: 'field-names' }],
]);

/** Arguments of a selected to-one relation that may be null; a required one has none. */
export const TO_ONE_ARGUMENTS: ReadonlyMap<string, Argument> = new Map<string, Argument>([['where', WHERE]]);

const NO_ARGUMENTS: ReadonlyMap<string, Argument> = new Map<string, Argument>();

/** The arguments of a selected relation, apart from its own selection. */
export function relationArguments({ many, optional }: Relationship): ReadonlyMap<string, Argument> {
  if (many) return TO_MANY_ARGUMENTS;
  return optional ? TO_ONE_ARGUMENTS : NO_ARGUMENTS;
}

function requireRead(field: Field, path: ArgumentPath): void {
  if (!field.rights.read) path.member(field.name).refuse('may not be read.', 'invalid-fields');
}

function readableNames(fields: Iterable<Field>): readonly string[] {
  return [...fields].filter(({ rights }) => rights.read).map(({ name }) => name);
}
