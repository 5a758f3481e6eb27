import { givenEntries } from '../../model/given-entries.js';
import { storedHop, storedModel } from '../../model/storage/stored-model.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import { isUpdateEnvelope, NESTED_WRITES, type NestedWriteName, nestedWritesOf, type WriteMode } from './nested-writes.js';
import { ALWAYS, type Condition, type UniqueCondition } from '../../query/condition.js';
import type { LinkedRow, Verb, WrittenField, WrittenRecord, WrittenRelation } from '../../query/write.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import type { Argument, ArgumentType } from './argument-planner.js';
import { planCreateValue, planUpdateValue } from './plan-new-value.js';
import { requireRows } from './plan-page.js';
import { planSkipDuplicates } from './plan-skip-duplicates.js';
import { planScalarWhere, planUniqueWhere, planWhere } from './plan-where.js';
import { requireAction, requireNameable } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { listOfOneOrMany, readBoolean, readObject } from '../../prisma/typed-slots.js';

/** Plans the data of one record. */
type RecordPlanner = (resource: Resource, value: unknown, path: ArgumentPath) => WrittenRecord;

/** Plans the `data` of a `create`: fields with the right `create`, and records that are created or connected through relations. */
export const planCreateData: RecordPlanner = (resource, value, path) => planData({ resource, mode: 'create' }, value, path);

/** Plans the `data` of an `update`: fields with the right `update`, and all nested writes. */
export const planUpdateData: RecordPlanner = (resource, value, path) => planData({ resource, mode: 'update' }, value, path);

/** Plans the `data` of an `updateMany`: plain fields only. */
export const planUpdateManyData: RecordPlanner = (resource, value, path) =>
  planData({ resource, mode: 'update', isFlat: true }, value, path);

/** Plans the `data` of a `createMany`: one record or a list of records, of plain fields only. */
export function planCreateManyData(resource: Resource, value: unknown, path: ArgumentPath): readonly WrittenRecord[] {
  return planRecords(value, path, (record, place) => planData({ resource, mode: 'create', isFlat: true }, record, place));
}

/** Plans the records of a `createManyAndReturn`. Their number is limited to that of the rows that may be returned. */
export function planReturnedRecords(resource: Resource, value: unknown, path: ArgumentPath): readonly WrittenRecord[] {
  const records = planCreateManyData(resource, value, path);
  requireRows(records.length, path);
  return records;
}

interface Writing {
  readonly resource: Resource;
  readonly mode: WriteMode;
  /** Whether relations are rejected. */
  readonly isFlat?: true;
}

function planData({ resource, mode, isFlat }: Writing, value: unknown, path: ArgumentPath): WrittenRecord {
  const fields: WrittenField[] = [];
  const relations: WrittenRelation[] = [];
  for (const [key, member] of givenEntries(readObject(value, path))) {
    const place = path.member(key);
    const field = resource.fields.get(key) ?? place.refuseUnknown(writableNames(resource, mode));
    if (!field.rights[mode]) place.refuse('may not be written.');
    if (field.kind === 'attribute') fields.push((mode === 'create' ? planCreateValue : planUpdateValue)(field, member, place));
    else if (isFlat) place.refuse('is a relation; writes of many records take plain fields only.');
    else relations.push(planRelation({ relationship: field, mode }, member, place));
  }
  requireNameable(resource, fields, path);
  return Object.freeze({
    kind: 'record',
    model: storedModel(path.storage, resource.model),
    action: mode,
    fields: Object.freeze(fields),
    relations: Object.freeze(relations),
    at: path.keys,
  });
}

function writableNames(resource: Resource, mode: WriteMode): readonly string[] {
  return [...resource.fields.values()].filter(({ rights }) => rights[mode]).map(({ name }) => name);
}

/** Plans one record or a list of records. They are counted before they are parsed. */
function planRecords<Planned>(
  value: unknown,
  path: ArgumentPath,
  plan: (record: unknown, path: ArgumentPath) => Planned,
): readonly Planned[] {
  path.spendRecords(Array.isArray(value) ? value.length : 1);
  return listOfOneOrMany(value, path, plan);
}

interface NestedWriting {
  readonly relationship: Relationship;
  readonly mode: WriteMode;
}

function planRelation({ relationship, mode }: NestedWriting, value: unknown, path: ArgumentPath): WrittenRelation {
  const writes = nestedWritesOf(relationship, mode);
  const verbs = givenEntries(readObject(value, path)).flatMap(([key, operand]) => {
    const place = path.member(key);
    const write = writes.get(key) ?? place.refuseUnknown(writes.keys());
    requireWrite(relationship, write, place);
    return nestedWriteOf(relationship, write).plan(relationship.target, operand, place);
  });
  return Object.freeze({ verbs: Object.freeze(verbs), ...storedHop(path.storage, relationship) });
}

/**
 * Rejects a nested write that needs an action which its target does not expose (security case 12). If the target has the foreign key, linking updates
 * the target. It then needs the action `update` and the rights of the key, which are those of the opposite relation (case 9). Linkable relations are
 * determined at boot, for both styles.
 */
function requireWrite(relationship: Relationship, write: NestedWriteName, path: ArgumentPath): void {
  const { target, link: place, linkable } = relationship;
  const { actions, link } = NESTED_WRITES[write];
  for (const action of actions) requireAction(target, action, path);
  const isOfTarget = place === 'target-key';
  if (isOfTarget && link.includes('update')) requireAction(target, 'update', path);
  if (link.every((mode) => linkable[mode])) return;
  path.refuse(
    isOfTarget ? `writes the key of ${target.model}, which is closed.` : `would tell which records of ${target.model} there are.`,
  );
}

/** The planner of a kind of nested write. One operand may become several verbs. */
interface VerbArgument extends Argument {
  readonly plan: (target: Resource, value: unknown, path: ArgumentPath) => readonly Verb[];
}

type VerbPlanner = (target: Resource, value: unknown, path: ArgumentPath) => Verb;

/** Returns the planner of one operand or a list of operands. */
function many(takes: ArgumentType, plan: VerbPlanner): VerbArgument {
  return {
    plan: (target, value, path) => planRecords(value, path, (operand, place) => plan(target, operand, place)),
    takes: { kind: 'one-or-many', of: takes },
  };
}

/** Returns the planner of a single operand. */
function one(takes: ArgumentType, plan: VerbPlanner): VerbArgument {
  return {
    plan: (target, value, path) => {
      if (Array.isArray(value)) path.refuse('must be an object.');
      path.spendRecords(1);
      return [plan(target, value, path)];
    },
    takes,
  };
}

/** The members of an object such as `{ where, data }`. */
interface Parts {
  readonly has: (name: string) => boolean;
  /** Returns the planned member of a name. If the member is missing, its planner rejects it. */
  readonly part: <Planned>(name: string, plan: (target: Resource, value: unknown, path: ArgumentPath) => Planned) => Planned;
}

/** Reads an object that has only the members of a type, e.g. `{ where, data }`. @throws ApiError for any other member */
function readArgumentParts(
  target: Resource,
  value: unknown,
  { path, type }: { readonly path: ArgumentPath; readonly type: PartsType },
): Parts {
  const given = readObject(value, path);
  const known = Object.keys(type.parts);
  const stranger = Object.keys(given).find((key) => !known.includes(key));
  if (stranger !== undefined) path.member(stranger).refuseUnknown(known);
  return { has: (name) => given[name] !== undefined, part: (name, plan) => plan(target, given[name], path.member(name)) };
}

type PartsType = Extract<ArgumentType, { readonly kind: 'parts' }>;

/** Returns the type of an object of several parts. @param name of Prisma's type, without the model's */
function parts(name: string, all: Readonly<Record<string, ArgumentType>>, optional: readonly string[] = []): PartsType {
  return { kind: 'parts', name, parts: all, required: Object.keys(all).filter((key) => !optional.includes(key)) };
}

const RECORDS: ArgumentType = { kind: 'one-or-many', of: 'create-many-data' };
const CREATE_MANY = parts('CreateManyInputEnvelope', { data: RECORDS, skipDuplicates: 'flag' }, ['skipDuplicates']);
const CONNECT_OR_CREATE = parts('CreateOrConnectInput', { where: 'unique-where', create: 'create-data' });
const UPDATE_ONE = parts('UpdateWithWhereUniqueInput', { where: 'unique-where', data: 'update-data' });
const UPDATE_MANY = parts('UpdateManyWithWhereInput', { where: 'scalar-where', data: 'update-many-data' });
const UPSERT_ONE = parts('UpsertWithWhereUniqueInput', { where: 'unique-where', create: 'create-data', update: 'update-data' });
const UPSERT_TO_ONE = parts('UpsertToOneInput', { where: 'where', create: 'create-data', update: 'update-data' }, ['where']);
const TO_ONE_ENVELOPE = parts('UpdateToOneWithWhereInput', { where: 'where', data: 'update-data' }, ['where']);

const createRelated: VerbPlanner = (target, value, path) => ({ kind: 'create-related', record: planCreateData(target, value, path) });
const connect: VerbPlanner = (target, value, path) => ({ kind: 'connect', row: planUniqueWhere(target, value, path) });
const connectOrCreate: VerbPlanner = (target, value, path) => {
  const { part } = readArgumentParts(target, value, { path, type: CONNECT_OR_CREATE });
  return { kind: 'connect-or-create', row: part('where', planUniqueWhere), record: part('create', planCreateData) };
};
const disconnect: VerbPlanner = (target, value, path) => ({ kind: 'disconnect', row: planUniqueWhere(target, value, path) });
const remove: VerbPlanner = (target, value, path) => ({ kind: 'delete-related', row: planUniqueWhere(target, value, path) });
const removeMany: VerbPlanner = (target, value, path) => ({ kind: 'delete-many-related', where: planScalarWhere(target, value, path) });
const updateOne: VerbPlanner = (target, value, path) => {
  const { part } = readArgumentParts(target, value, { path, type: UPDATE_ONE });
  return { kind: 'update-related', row: part('where', planUniqueWhere), record: part('data', planUpdateData) };
};
const updateMany: VerbPlanner = (target, value, path) => {
  const { part } = readArgumentParts(target, value, { path, type: UPDATE_MANY });
  return { kind: 'update-many-related', where: part('where', planScalarWhere), record: part('data', planUpdateManyData) };
};
const upsertOne: VerbPlanner = (target, value, path) => {
  const { part } = readArgumentParts(target, value, { path, type: UPSERT_ONE });
  return planUpsert(part('where', planUniqueWhere), part);
};
const upsertToOne: VerbPlanner = (target, value, path) => {
  const { has, part } = readArgumentParts(target, value, { path, type: UPSERT_TO_ONE });
  return planUpsert(has('where') ? part('where', planWhere) : ALWAYS, part);
};

function planUpsert(row: LinkedRow, part: Parts['part']): Verb {
  return { kind: 'upsert-related', row, create: part('create', planCreateData), update: part('update', planUpdateData) };
}

const createMany: VerbArgument = {
  plan: (target, value, path) => {
    const { has, part } = readArgumentParts(target, value, { path, type: CREATE_MANY });
    const records = part('data', planCreateManyData);
    return [
      {
        kind: 'create-many-related',
        records,
        ...(has('skipDuplicates') && { skipDuplicates: part('skipDuplicates', planSkipDuplicates) }),
      },
    ];
  },
  takes: CREATE_MANY,
};

const set: VerbArgument = {
  plan: (target, value, path) => {
    const rows: readonly UniqueCondition[] = planRecords(value, path, (where, place) => planUniqueWhere(target, where, place));
    return [{ kind: 'set', rows }];
  },
  takes: { kind: 'one-or-many', of: 'unique-where' },
};

/** Returns the planner of `true`, or of a condition on the related record that is disconnected or deleted. */
function severed(kind: 'disconnect' | 'delete-related'): VerbArgument {
  const planRow = (target: Resource, value: unknown, path: ArgumentPath): Condition | undefined => {
    if (isPlainObject(value)) return planWhere(target, value, path);
    return readBoolean(value, path) ? ALWAYS : undefined;
  };
  return {
    plan: (target, value, path) => {
      const row = planRow(target, value, path);
      return row ? [{ kind, row }] : [];
    },
    takes: { kind: 'either', of: ['flag', 'where'] },
  };
}

/** Plans the new data itself, or `{ where, data }`. */
const updateToOne: VerbPlanner = (target, value, path) => {
  const isEither = isUpdateEnvelope(value) && Object.keys(value).every((key) => target.fields.has(key));
  // If both forms are possible, Prisma chooses `{ where, data }` whenever its `data` is valid data of the target.
  const enveloped = isEither ? path.attempt(() => updateEnvelope(target, value, path)) : undefined;
  if (enveloped) return enveloped;
  if (isUpdateEnvelope(value) && !isEither) return updateEnvelope(target, value, path);
  return { kind: 'update-related', row: ALWAYS, record: planUpdateData(target, value, path) };
};

const updateEnvelope: VerbPlanner = (target, value, path) => {
  const { has, part } = readArgumentParts(target, value, { path, type: TO_ONE_ENVELOPE });
  return { kind: 'update-related', row: has('where') ? part('where', planWhere) : ALWAYS, record: part('data', planUpdateData) };
};

const TO_MANY_WRITES: Readonly<Record<NestedWriteName, VerbArgument>> = {
  create: many('create-data', createRelated),
  createMany,
  connectOrCreate: many(CONNECT_OR_CREATE, connectOrCreate),
  connect: many('unique-where', connect),
  disconnect: many('unique-where', disconnect),
  set,
  update: many(UPDATE_ONE, updateOne),
  updateMany: many(UPDATE_MANY, updateMany),
  upsert: many(UPSERT_ONE, upsertOne),
  delete: many('unique-where', remove),
  deleteMany: many('scalar-where', removeMany),
};

const TO_ONE_WRITES: Readonly<Record<NestedWriteName, VerbArgument>> = {
  ...TO_MANY_WRITES,
  create: one('create-data', createRelated),
  connectOrCreate: one(CONNECT_OR_CREATE, connectOrCreate),
  connect: one('unique-where', connect),
  disconnect: severed('disconnect'),
  update: one({ kind: 'either', of: ['update-data', TO_ONE_ENVELOPE] }, updateToOne),
  upsert: one(UPSERT_TO_ONE, upsertToOne),
  delete: severed('delete-related'),
};

/** Returns the planner of a nested write. {@link nestedWritesOf} decides whether the relation supports the write. */
export function nestedWriteOf({ many: isMany }: Relationship, write: NestedWriteName): VerbArgument {
  return (isMany ? TO_MANY_WRITES : TO_ONE_WRITES)[write];
}
