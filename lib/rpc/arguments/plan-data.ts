import { givenEntries } from '../../model/given-entries.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import type { Argument, ArgumentPlanner, ArgumentType } from './argument-planner.js';
import { isUpdateEnvelope } from './is-update-envelope.js';
import { type NestedWrite, NESTED_WRITES, type NestedWriteName, nestedWritesOf, type WriteMode } from './nested-writes.js';
import { planCreateValue, planUpdateValue } from './plan-new-value.js';
import { requireRows } from './plan-page.js';
import { planSkipDuplicates } from './plan-skip-duplicates.js';
import { planUniqueWhere } from './plan-unique-where.js';
import { planScalarWhere, planWhere } from './plan-where.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { oneOrMany, readBoolean, readObject } from './typed-slots.js';

/** Plans the `data` of a `create`: fields open to creating, and records created or connected through relations. */
export const planCreateData: ArgumentPlanner = (resource, value, path) => planData({ resource, mode: 'create' }, value, path);

/** Plans the `data` of an `update`: fields open to updating, and any write through relations. */
export const planUpdateData: ArgumentPlanner = (resource, value, path) => planData({ resource, mode: 'update' }, value, path);

/** Plans the `data` of an `updateMany`: plain fields only. */
export const planUpdateManyData: ArgumentPlanner = (resource, value, path) =>
  planData({ resource, mode: 'update', isFlat: true }, value, path);

/** Plans the `data` of a `createMany`: one record or a list of them, of plain fields only. */
export const planCreateManyData: ArgumentPlanner = (resource, value, path) =>
  planRecords(value, path, (record, place) => planData({ resource, mode: 'create', isFlat: true }, record, place));

/** Plans the records of a `createManyAndReturn`: no more than may be returned. */
export const planReturnedRecords: ArgumentPlanner = (resource, value, path) => {
  const records = planCreateManyData(resource, value, path);
  if (Array.isArray(records)) requireRows(records.length, path);
  return records;
};

interface Writing {
  readonly resource: Resource;
  readonly mode: WriteMode;
  /** Without relations. */
  readonly isFlat?: true;
}

function planData({ resource, mode, isFlat }: Writing, value: unknown, path: ArgumentPath): Record<string, unknown> {
  const planned: Record<string, unknown> = {};
  for (const [key, member] of givenEntries(readObject(value, path))) {
    const place = path.member(key);
    const field = resource.fields.get(key) ?? place.refuseUnknown(writableNames(resource, mode));
    if (!field.rights[mode]) place.refuse('may not be written.');
    if (field.kind === 'attribute') planned[key] = (mode === 'create' ? planCreateValue : planUpdateValue)(field, member, place);
    else if (isFlat) place.refuse('is a relation; writes of many records take plain fields only.');
    else planned[key] = planNestedWrites({ relationship: field, mode }, member, place);
  }
  return planned;
}

function writableNames(resource: Resource, mode: WriteMode): readonly string[] {
  return [...resource.fields.values()].filter(({ rights }) => rights[mode]).map(({ name }) => name);
}

/** One record or a list of them, counted before it is walked. */
function planRecords(value: unknown, path: ArgumentPath, plan: (record: unknown, path: ArgumentPath) => unknown): unknown {
  path.spendRecords(Array.isArray(value) ? value.length : 1);
  return oneOrMany(value, path, plan);
}

interface NestedWriting {
  readonly relationship: Relationship;
  readonly mode: WriteMode;
}

function planNestedWrites({ relationship, mode }: NestedWriting, value: unknown, path: ArgumentPath): Record<string, unknown> {
  const writes = nestedWritesOf(relationship, mode);
  const planned: Record<string, unknown> = {};
  for (const [key, operand] of givenEntries(readObject(value, path))) {
    const place = path.member(key);
    const write = writes.get(key) ?? place.refuseUnknown(writes.keys());
    requireWrite(relationship, write, place);
    planned[key] = nestedWriteOf(relationship, write).plan(relationship.target, operand, place);
  }
  return planned;
}

/**
 * Refuses a nested write under a closed action of its target (security case 12). Where the target holds the key, linking changes the
 * target: it needs its action, and the key's rights, which are those of the relation seen from there (case 9). What may be linked is decided at
 * boot, for both styles.
 */
function requireWrite(relationship: Relationship, write: NestedWriteName, path: ArgumentPath): void {
  const { target, link: place, linkable } = relationship;
  const { actions, link } = NESTED_WRITES[write] as NestedWrite;
  for (const action of actions) requireAction(target, action, path);
  const isOfTarget = place === 'target-key';
  if (isOfTarget && link.includes('update')) requireAction(target, 'update', path);
  if (link.every((mode) => linkable[mode])) return;
  path.refuse(
    isOfTarget ? `writes the key of ${target.model}, which is closed.` : `would tell which records of ${target.model} there are.`,
  );
}

/** One record or the list of them that Prisma takes instead. */
function manyRecords({ plan, takes }: Argument): Argument {
  return {
    plan: (target, value, path) => planRecords(value, path, (record, place) => plan(target, record, place)),
    takes: { kind: 'one-or-many', of: takes },
  };
}

function oneRecord({ plan, takes }: Argument): Argument {
  return {
    plan: (target, value, path) => {
      if (Array.isArray(value)) path.refuse('must be an object.');
      return planRecords(value, path, (record, place) => plan(target, record, place));
    },
    takes,
  };
}

interface Part extends Argument {
  readonly optional?: true;
}

/**
 * An object of exactly these parts, e.g. `{ where, data }`. A part that is missing is refused by its own planner.
 *
 * @param name of Prisma's type, without the model's
 */
function parts(name: string, all: Readonly<Record<string, Part>>): Argument {
  const known = new Map(Object.entries(all));
  const planPart = ({ plan, optional }: Part, target: Resource, { value, path }: PartValue): unknown =>
    optional && value === undefined ? undefined : plan(target, value, path);
  return {
    plan: (target, value, path) => {
      const given = readObject(value, path);
      const stranger = Object.keys(given).find((key) => !known.has(key));
      if (stranger !== undefined) path.member(stranger).refuseUnknown(known.keys());
      const planned = [...known].map(
        ([key, part]) => [key, planPart(part, target, { value: given[key], path: path.member(key) })] as const,
      );
      return Object.fromEntries(planned.filter(([, part]) => part !== undefined));
    },
    takes: {
      kind: 'parts',
      name,
      parts: Object.fromEntries([...known].map(([key, { takes }]): [string, ArgumentType] => [key, takes])),
      required: [...known].flatMap(([key, { optional }]) => (optional ? [] : [key])),
    },
  };
}

interface PartValue {
  readonly value: unknown;
  readonly path: ArgumentPath;
}

const WHERE: Argument = { plan: planWhere, takes: 'where' };
const SCALAR_WHERE: Argument = { plan: planScalarWhere, takes: 'scalar-where' };
const UNIQUE_WHERE: Argument = { plan: planUniqueWhere, takes: 'unique-where' };
const CREATE: Argument = { plan: planCreateData, takes: 'create-data' };
const UPDATE: Argument = { plan: planUpdateData, takes: 'update-data' };
const RECORDS: Argument = { plan: planCreateManyData, takes: { kind: 'one-or-many', of: 'create-many-data' } };

/** `true`, or the condition under which the related record is cut off or deleted. */
const SEVERED: Argument = {
  plan: (target, value, path) => (isPlainObject(value) ? planWhere(target, value, path) : readBoolean(value, path)),
  takes: { kind: 'either', of: ['flag', 'where'] },
};

const TO_ONE_ENVELOPE = parts('UpdateToOneWithWhereInput', { where: { ...WHERE, optional: true }, data: UPDATE });

/** The new data itself, or `{ where, data }`. */
const TO_ONE_UPDATE: Argument = {
  plan: (target, value, path) => (isUpdateEnvelope(value) ? TO_ONE_ENVELOPE : UPDATE).plan(target, value, path),
  takes: { kind: 'either', of: [UPDATE.takes, TO_ONE_ENVELOPE.takes] },
};

const CREATE_MANY = parts('CreateManyInputEnvelope', {
  data: RECORDS,
  skipDuplicates: { plan: planSkipDuplicates, takes: 'flag', optional: true },
});
const CONNECT_OR_CREATE = parts('CreateOrConnectInput', { where: UNIQUE_WHERE, create: CREATE });

const TO_MANY_WRITES: Readonly<Record<NestedWriteName, Argument>> = {
  create: manyRecords(CREATE),
  createMany: CREATE_MANY,
  connectOrCreate: manyRecords(CONNECT_OR_CREATE),
  connect: manyRecords(UNIQUE_WHERE),
  disconnect: manyRecords(UNIQUE_WHERE),
  set: manyRecords(UNIQUE_WHERE),
  update: manyRecords(parts('UpdateWithWhereUniqueInput', { where: UNIQUE_WHERE, data: UPDATE })),
  updateMany: manyRecords(
    parts('UpdateManyWithWhereInput', { where: SCALAR_WHERE, data: { plan: planUpdateManyData, takes: 'update-many-data' } }),
  ),
  upsert: manyRecords(parts('UpsertWithWhereUniqueInput', { where: UNIQUE_WHERE, create: CREATE, update: UPDATE })),
  delete: manyRecords(UNIQUE_WHERE),
  deleteMany: manyRecords(SCALAR_WHERE),
};

const TO_ONE_WRITES: Readonly<Record<NestedWriteName, Argument>> = {
  ...TO_MANY_WRITES,
  create: oneRecord(CREATE),
  connectOrCreate: oneRecord(CONNECT_OR_CREATE),
  connect: oneRecord(UNIQUE_WHERE),
  disconnect: SEVERED,
  update: oneRecord(TO_ONE_UPDATE),
  upsert: oneRecord(parts('UpsertToOneInput', { where: { ...WHERE, optional: true }, create: CREATE, update: UPDATE })),
  delete: SEVERED,
};

/** What one kind of write through a relation takes. Whether the relation has it is {@link nestedWritesOf}'s to say. */
export function nestedWriteOf({ many }: Relationship, write: NestedWriteName): Argument {
  return (many ? TO_MANY_WRITES : TO_ONE_WRITES)[write];
}
