import { givenEntries } from '../../model/given-entries.js';
import { storedField, storedHop, storedModel } from '../../model/storage/stored-model.js';
import type { Attribute, Field, Relationship, Resource } from '../../model/surface/surface.js';
import { SELECTION_WORDS } from '../../prisma/words.js';
import { ALWAYS, type Condition, type KeyCondition } from '../../query/condition.js';
import type { Order } from '../../query/order.js';
import { type ManyMember, type Member, type OneMember, RELATED_COUNT, type Selection } from '../../query/selection.js';
import type { StoredField } from '../../model/storage/storage.js';
import type { Argument } from './argument-planner.js';
import { cutPage, orderPage, planCount, planFieldNames, planTake } from './plan-page.js';
import { planCountSelection } from './plan-count-selection.js';
import { planOrder } from './plan-order.js';
import { planCursor, planWhere } from './plan-where.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { readBoolean, readObject } from '../../prisma/typed-slots.js';

/** The arguments of an operation or a selected relation that define its result. */
export interface SelectionArguments {
  readonly select?: unknown;
  readonly include?: unknown;
  readonly omit?: unknown;
}

/** The keys of {@link SelectionArguments}. Null means absent, as in Prisma's types. */
export const SELECTION_KEYS: ReadonlySet<string> = new Set(SELECTION_WORDS);

/**
 * Plans the selection of a result. It always names the exposed members explicitly, so that a member which the data client would add by default is not
 * loaded. Such members are columns that the generated schema lacks, and computed fields of `$extends` that `resources` does not name. Prisma computes
 * the named ones for exactly such a `select`.
 *
 * A client's `select` may name readable members. Without it, the selection has all plain fields except those of `omit`, and the relations of
 * `include`.
 *
 * @param given the argument object of an operation or a relation; its other keys are ignored
 */
export function planSelection(resource: Resource, given: SelectionArguments, path: ArgumentPath): Selection {
  const { select, include, omit } = given;
  if (!isGiven(select)) {
    const plain = planPlain(resource, omit, path);
    if (!isGiven(include)) return isGiven(omit) ? selectionOf(resource, plain, path.member('omit')) : plainSelection(resource, path);
    return selectionOf(resource, [...plain, ...planInclude(resource, include, path)], isGiven(omit) ? path.member('omit') : path);
  }
  if (isGiven(include)) path.refuse('takes either select or include, not both.', 'invalid-fields');
  if (isGiven(omit)) path.refuse('takes either select or omit, not both.', 'invalid-fields');
  const place = path.member('select');
  const members = planMembers(select, place, (key, value) => planSelected(resource, key, { value, path: place }));
  return selectionOf(resource, members, place);
}

/** Returns a selection of these members. @throws ApiError if there is none */
function selectionOf(resource: Resource, members: readonly Member[], path: ArgumentPath): Selection {
  if (members.length === 0) path.refuse('must leave at least one field to select.', 'invalid-fields');
  return Object.freeze({ kind: 'selection', model: storedModel(path.storage, resource.model), members: Object.freeze(members) });
}

/** Whether an argument of a selection is given. Null means absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

interface Selected {
  readonly value: unknown;
  /** The path of the object that contains the member. */
  readonly path: ArgumentPath;
}

function planMembers(value: unknown, path: ArgumentPath, plan: (key: string, value: unknown) => Member | undefined): readonly Member[] {
  return givenEntries(readObject(value, path)).flatMap(([key, member]) => plan(key, member) ?? []);
}

function planSelected(resource: Resource, key: string, { value, path }: Selected): Member | undefined {
  if (key === RELATED_COUNT) return planCountSelection(resource, value, path.member(key));
  const field = resource.fields.get(key) ?? path.member(key).refuseUnknown([...readableNames(resource.fields.values()), RELATED_COUNT]);
  if (field.kind === 'relationship') return planRelation(field, value, path);
  if (!readBoolean(value, path.member(key))) return undefined;
  requireRead(field, path);
  return toFieldMember(field, path);
}

/** Returns the member of a plain field. */
function toFieldMember(attribute: Attribute, { storage }: ArgumentPath): Member {
  return attribute.computed ? { kind: 'computed', name: attribute.name } : { kind: 'field', field: storedField(storage, attribute) };
}

function planInclude(resource: Resource, include: unknown, path: ArgumentPath): readonly Member[] {
  const place = path.member('include');
  return planMembers(include, place, (key, value) => {
    if (key === RELATED_COUNT) return planCountSelection(resource, value, place.member(key));
    const field = resource.fields.get(key) ?? place.member(key).refuseUnknown([...readableNames(resource.relationships), RELATED_COUNT]);
    if (field.kind === 'attribute') return place.member(key).refuse('is a plain field; include takes relations only.', 'invalid-include');
    return planRelation(field, value, place);
  });
}

/** Returns the readable plain fields, without those of `omit`. */
function planPlain(resource: Resource, omit: unknown, path: ArgumentPath): readonly Member[] {
  if (!isGiven(omit)) return plainSelection(resource, path).members;
  const place = path.member('omit');
  const omitted = givenEntries(readObject(omit, place)).flatMap(([key, value]) => {
    const field = resource.fields.get(key);
    if (field?.kind !== 'attribute') return place.member(key).refuseUnknown(readableNames(resource.attributes));
    if (readBoolean(value, place.member(key))) return [field];
    requireRead(field, place);
    return [];
  });
  return readableAttributes(resource).flatMap((attribute) => (omitted.includes(attribute) ? [] : [toFieldMember(attribute, path)]));
}

const PLAIN = new WeakMap<Resource, Selection>();

/** Returns the selection of all readable plain fields. It is cached by resource, because many requests use it. */
function plainSelection(resource: Resource, path: ArgumentPath): Selection {
  let selection = PLAIN.get(resource);
  if (!selection) {
    const members = readableAttributes(resource).map((attribute) => toFieldMember(attribute, path));
    selection = selectionOf(resource, members, path);
    PLAIN.set(resource, selection);
  }
  return selection;
}

function readableAttributes({ attributes }: Resource): readonly Attribute[] {
  return attributes.filter(({ rights }) => rights.read);
}

function planRelation(relationship: Relationship, value: unknown, parent: ArgumentPath): Member | undefined {
  if (value === false) return undefined;
  const { target } = relationship;
  const path = parent.relation(relationship);
  requireRead(relationship, parent);
  requireAction(target, 'read', path);
  const given = value === true ? {} : readObject(value, path);
  const planned = planRelationArguments(relationship, given, path);
  const selection = planSelection(target, given, path);
  return relationship.many ? manyMember(relationship, { planned, selection, path }) : oneMember(relationship, { planned, selection, path });
}

interface PlannedRelation {
  readonly planned: RelationArguments;
  readonly selection: Selection;
  readonly path: ArgumentPath;
}

/** The planned arguments of a relation, by the names of {@link relationArguments}. */
interface RelationArguments {
  readonly where?: Condition;
  readonly orderBy?: Order;
  readonly cursor?: readonly KeyCondition[];
  readonly take?: number;
  readonly skip?: number;
  readonly distinct?: readonly StoredField[];
}

function manyMember(relationship: Relationship, { planned, selection, path }: PlannedRelation): ManyMember {
  const { where = ALWAYS, orderBy = [], ...page } = planned;
  const { model } = selection;
  const order = orderPage(relationship.target, { model, order: orderBy, page }, path);
  const cut = cutPage(relationship.target, { model, order, page }, path);
  return { kind: 'many', ...storedHop(path.storage, relationship), where, ...cut, selection };
}

function oneMember(relationship: Relationship, { planned: { where = ALWAYS }, selection, path }: PlannedRelation): OneMember {
  const { identifier } = relationship.target;
  const isLinkage = selection.members.every(
    (member) => member.kind === 'field' && identifier.fields.some(({ name }) => name === member.field.name),
  );
  return { kind: 'one', ...storedHop(path.storage, relationship), where, selection, isLinkage };
}

function planRelationArguments(
  relationship: Relationship,
  given: Readonly<Record<string, unknown>>,
  path: ArgumentPath,
): RelationArguments {
  const known = relationArguments(relationship);
  const planned: Record<string, unknown> = {};
  for (const [key, value] of givenEntries(given)) {
    if (SELECTION_KEYS.has(key)) continue;
    const { plan } = known.get(key) ?? path.member(key).refuseUnknown([...known.keys(), ...SELECTION_KEYS]);
    planned[key] = plan(relationship.target, value, path.member(key));
  }
  // The planner of each argument returns the value of the member with the same name.
  return planned;
}

const WHERE: Argument = { plan: planWhere, takes: 'where' };

/** The arguments of a selected to-many relation, without those of its own selection. */
export const TO_MANY_ARGUMENTS: ReadonlyMap<string, Argument> = new Map<string, Argument>([
  ['where', WHERE],
  ['orderBy', { plan: planOrder, takes: 'order' }],
  ['cursor', { plan: planCursor, takes: 'cursor' }],
  ['take', { plan: planTake, takes: 'take' }],
  ['skip', { plan: planCount, takes: 'count' }],
  ['distinct', { plan: planFieldNames, takes: 'field-names' }],
]);

/** The arguments of a selected to-one relation that may be null. A required relation has none. */
export const TO_ONE_ARGUMENTS: ReadonlyMap<string, Argument> = new Map<string, Argument>([['where', WHERE]]);

const NO_ARGUMENTS: ReadonlyMap<string, Argument> = new Map<string, Argument>();

/** Returns the arguments of a selected relation, without those of its own selection. */
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
