import { givenEntries } from '../../model/given-entries.js';
import { type Field, type Relationship, type Resource } from '../../model/resource-model.js';
import { type ArgumentPlanner } from './argument-planner.js';
import { cutList } from './cut-list.js';
import { planCountSelection } from './plan-count-selection.js';
import { planOrder } from './plan-order.js';
import { planCount, planFieldNames, planTake } from './plan-page.js';
import { planUniqueWhere } from './plan-unique-where.js';
import { planWhere } from './plan-where.js';
import { requireAction } from './require-action.js';
import { type Spot } from './spot.js';
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
 * Plans what comes back. Fields that may not be read are not even loaded: a `select` may not name them, and without one an `omit` leaves
 * them out. A model that hides nothing gets no `omit`, so that its arguments, and the host's own global `omit`, stay as they are.
 *
 * @param selection the argument object of an operation or a relation; its other keys are not looked at
 */
export function planSelection(resource: Resource, selection: Selection, spot: Spot): Selection {
  const { select, include, omit } = selection;
  if (!isGiven(select)) return { ...planInclude(resource, include, spot), ...planOmit(resource, omit, spot) };
  if (isGiven(include)) spot.refuse('takes either select or include, not both.', 'invalid-fields');
  if (isGiven(omit)) spot.refuse('takes either select or omit, not both.', 'invalid-fields');
  return { select: planMembers(select, spot.member('select'), (key, value, place) => planSelected(resource, key, { value, spot: place })) };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

interface Member {
  readonly value: unknown;
  /** The spot of the object that holds it. */
  readonly spot: Spot;
}

function planMembers(value: unknown, spot: Spot, plan: (key: string, value: unknown, spot: Spot) => unknown): Record<string, unknown> {
  return Object.fromEntries(givenEntries(readObject(value, spot)).map(([key, member]) => [key, plan(key, member, spot)]));
}

const COUNT = '_count';

function planSelected(resource: Resource, key: string, { value, spot }: Member): unknown {
  if (key === COUNT) return planCountSelection(resource, value, spot.member(key));
  const field = resource.fields.get(key) ?? spot.member(key).refuseUnknown([...readableNames(resource.fields.values()), COUNT]);
  if (field.kind === 'relationship') return planRelation(field, value, spot);
  if (readBoolean(value, spot.member(key))) requireRead(field, spot);
  return value;
}

function planInclude(resource: Resource, include: unknown, spot: Spot): Selection {
  if (!isGiven(include)) return {};
  const planned = planMembers(include, spot.member('include'), (key, value, place) => {
    if (key === COUNT) return planCountSelection(resource, value, place.member(key));
    const field = resource.fields.get(key) ?? place.member(key).refuseUnknown([...readableNames(resource.relationships), COUNT]);
    if (field.kind === 'attribute') return place.member(key).refuse('is a plain field; include takes relations only.', 'invalid-include');
    return planRelation(field, value, place);
  });
  return { include: planned };
}

function planOmit(resource: Resource, omit: unknown, spot: Spot): Selection {
  const hidden = omissionOf(resource);
  if (!isGiven(omit)) return hidden ? { omit: { ...hidden } } : {};
  const planned = planMembers(omit, spot.member('omit'), (key, value, place) => {
    const field = resource.fields.get(key);
    if (field?.kind !== 'attribute') return place.member(key).refuseUnknown(readableNames(resource.attributes));
    if (!readBoolean(value, place.member(key))) requireRead(field, place);
    return value;
  });
  return { omit: { ...planned, ...hidden } };
}

const OMISSIONS = new WeakMap<Resource, Readonly<Record<string, true>>>();

/** The `omit` of all that may not be read; undefined for a model that hides nothing. */
function omissionOf(resource: Resource): Readonly<Record<string, true>> | undefined {
  if (resource.unreadable.length === 0) return undefined;
  const known = OMISSIONS.get(resource);
  if (known) return known;
  const omission = Object.freeze(Object.fromEntries(resource.unreadable.map((name) => [name, true as const])));
  OMISSIONS.set(resource, omission);
  return omission;
}

function planRelation(relationship: Relationship, value: unknown, parent: Spot): unknown {
  if (value === false) return false;
  const { target } = relationship;
  const spot = parent.relation(relationship);
  requireRead(relationship, parent);
  requireAction(target, 'read', spot);
  const planned = planRelationArguments(relationship, value === true ? {} : readObject(value, spot), spot);
  return value === true && Object.keys(planned).length === 0 ? true : planned;
}

function planRelationArguments(relationship: Relationship, given: Readonly<Record<string, unknown>>, spot: Spot): Record<string, unknown> {
  const planners = relationship.many ? TO_MANY_ARGUMENTS : relationship.optional ? TO_ONE_ARGUMENTS : NO_ARGUMENTS;
  const planned: Record<string, unknown> = {};
  for (const [key, value] of givenEntries(given)) {
    if (SELECTION_KEYS.has(key)) continue;
    const plan = planners.get(key) ?? spot.member(key).refuseUnknown([...planners.keys(), ...SELECTION_KEYS]);
    planned[key] = plan(relationship.target, value, spot.member(key));
  }
  const limited = relationship.many ? cutList(planned, spot.maxTake) : planned;
  return { ...limited, ...planSelection(relationship.target, given, spot) };
}

/** Arguments of a selected to-many relation, beside its own selection. */
export const TO_MANY_ARGUMENTS: ReadonlyMap<string, ArgumentPlanner> = new Map<string, ArgumentPlanner>([
  ['where', planWhere],
  ['orderBy', planOrder],
  ['cursor', planUniqueWhere],
  ['take', planTake],
  ['skip', planCount],
  ['distinct', planFieldNames],
]);

/** Arguments of a selected to-one relation that may be null; a required one has none. */
export const TO_ONE_ARGUMENTS: ReadonlyMap<string, ArgumentPlanner> = new Map<string, ArgumentPlanner>([['where', planWhere]]);

const NO_ARGUMENTS: ReadonlyMap<string, ArgumentPlanner> = new Map<string, ArgumentPlanner>();

function requireRead(field: Field, spot: Spot): void {
  if (!field.rights.read) spot.member(field.name).refuse('may not be read.', 'invalid-fields');
}

function readableNames(fields: Iterable<Field>): readonly string[] {
  return [...fields].filter(({ rights }) => rights.read).map(({ name }) => name);
}
