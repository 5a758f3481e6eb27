import { givenEntries } from '../../model/given-entries.js';
import { type Relationship, type Resource } from '../../model/resource-model.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { type ArgumentPlanner } from './argument-planner.js';
import { isUpdateEnvelope } from './is-update-envelope.js';
import { type NestedWrite, NESTED_WRITES, type NestedWriteName, nestedWritesOf, type WriteMode } from './nested-writes.js';
import { planCreateValue, planUpdateValue } from './plan-new-value.js';
import { requireRows } from './plan-page.js';
import { planSkipDuplicates } from './plan-skip-duplicates.js';
import { planUniqueWhere } from './plan-unique-where.js';
import { planScalarWhere, planWhere } from './plan-where.js';
import { requireAction } from './require-action.js';
import { type Spot } from './spot.js';
import { oneOrMany, readBoolean, readObject } from './typed-slots.js';

/** Plans the `data` of a `create`: fields open to creating, and records created or connected through relations. */
export const planCreateData: ArgumentPlanner = (resource, value, spot) => planData({ resource, mode: 'create' }, value, spot);

/** Plans the `data` of an `update`: fields open to updating, and any write through relations. */
export const planUpdateData: ArgumentPlanner = (resource, value, spot) => planData({ resource, mode: 'update' }, value, spot);

/** Plans the `data` of an `updateMany`: plain fields only. */
export const planUpdateManyData: ArgumentPlanner = (resource, value, spot) =>
  planData({ resource, mode: 'update', isFlat: true }, value, spot);

/** Plans the `data` of a `createMany`: one record or a list of them, of plain fields only. */
export const planCreateManyData: ArgumentPlanner = (resource, value, spot) =>
  planRecords(value, spot, (record, place) => planData({ resource, mode: 'create', isFlat: true }, record, place));

/** Plans the records of a `createManyAndReturn`: no more than may be returned. */
export const planReturnedRecords: ArgumentPlanner = (resource, value, spot) => {
  const records = planCreateManyData(resource, value, spot);
  if (Array.isArray(records)) requireRows(records.length, spot);
  return records;
};

interface Writing {
  readonly resource: Resource;
  readonly mode: WriteMode;
  /** Without relations. */
  readonly isFlat?: true;
}

function planData({ resource, mode, isFlat }: Writing, value: unknown, spot: Spot): Record<string, unknown> {
  const planned: Record<string, unknown> = {};
  for (const [key, member] of givenEntries(readObject(value, spot))) {
    const place = spot.member(key);
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
function planRecords(value: unknown, spot: Spot, plan: (record: unknown, spot: Spot) => unknown): unknown {
  spot.spendRecords(Array.isArray(value) ? value.length : 1);
  return oneOrMany(value, spot, plan);
}

interface NestedWriting {
  readonly relationship: Relationship;
  readonly mode: WriteMode;
}

function planNestedWrites({ relationship, mode }: NestedWriting, value: unknown, spot: Spot): Record<string, unknown> {
  const writes = nestedWritesOf(relationship, mode);
  const planned: Record<string, unknown> = {};
  for (const [key, operand] of givenEntries(readObject(value, spot))) {
    const place = spot.member(key);
    const write = writes.get(key) ?? place.refuseUnknown(writes.keys());
    requireWrite(relationship, write, place);
    planned[key] = (relationship.many ? TO_MANY_WRITES : TO_ONE_WRITES)[write](relationship.target, operand, place);
  }
  return planned;
}

/**
 * Refuses a nested write under a closed action of its target (security case 12). Where the target holds the key, linking changes the
 * target: it needs its action, and the key's rights, which are those of the relation seen from there (case 9).
 */
function requireWrite(relationship: Relationship, write: NestedWriteName, spot: Spot): void {
  const { target, foreignKey, joinTable, opposite } = relationship;
  const { actions, link } = NESTED_WRITES[write] as NestedWrite;
  for (const action of actions) requireAction(target, action, spot);
  if (foreignKey !== undefined || joinTable) return;
  if (link.includes('update')) requireAction(target, 'update', spot);
  const rights = opposite === undefined ? undefined : target.fields.get(opposite)?.rights;
  if (link.some((right) => rights?.[right] !== true)) spot.refuse(`writes the key of ${target.model}, which is closed.`);
}

const planOneRecord = (plan: ArgumentPlanner): ArgumentPlanner => {
  return (target, value, spot) => {
    if (Array.isArray(value)) spot.refuse('must be an object.');
    return planRecords(value, spot, (record, place) => plan(target, record, place));
  };
};

const planManyRecords = (plan: ArgumentPlanner): ArgumentPlanner => {
  return (target, value, spot) => planRecords(value, spot, (record, place) => plan(target, record, place));
};

/** An object of exactly these parts, e.g. `{ where, data }`. A part that is missing is refused by its own planner. */
const planParts = (parts: Readonly<Record<string, ArgumentPlanner>>): ArgumentPlanner => {
  const planners = new Map(Object.entries(parts));
  return (target, value, spot) => {
    const given = readObject(value, spot);
    const stranger = Object.keys(given).find((key) => !planners.has(key));
    if (stranger !== undefined) spot.member(stranger).refuseUnknown(planners.keys());
    const planned = [...planners].map(([key, plan]) => [key, plan(target, given[key], spot.member(key))] as const);
    return Object.fromEntries(planned.filter(([, part]) => part !== undefined));
  };
};

const optional = (plan: ArgumentPlanner): ArgumentPlanner => {
  return (target, value, spot) => (value === undefined ? undefined : plan(target, value, spot));
};

/** `true`, or the condition under which the related record is cut off or deleted. */
const planSevered: ArgumentPlanner = (target, value, spot) =>
  isPlainObject(value) ? planWhere(target, value, spot) : readBoolean(value, spot);

const planToOneEnvelope = planParts({ where: optional(planWhere), data: planUpdateData });

/** The new data itself, or `{ where, data }`. */
const planToOneUpdate: ArgumentPlanner = (target, value, spot) =>
  (isUpdateEnvelope(value) ? planToOneEnvelope : planUpdateData)(target, value, spot);

const planCreateMany = planParts({ data: planCreateManyData, skipDuplicates: optional(planSkipDuplicates) });
const planConnectOrCreate = planParts({ where: planUniqueWhere, create: planCreateData });

const TO_MANY_WRITES: Readonly<Record<NestedWriteName, ArgumentPlanner>> = {
  create: planManyRecords(planCreateData),
  createMany: planCreateMany,
  connectOrCreate: planManyRecords(planConnectOrCreate),
  connect: planManyRecords(planUniqueWhere),
  disconnect: planManyRecords(planUniqueWhere),
  set: planManyRecords(planUniqueWhere),
  update: planManyRecords(planParts({ where: planUniqueWhere, data: planUpdateData })),
  updateMany: planManyRecords(planParts({ where: planScalarWhere, data: planUpdateManyData })),
  upsert: planManyRecords(planParts({ where: planUniqueWhere, create: planCreateData, update: planUpdateData })),
  delete: planManyRecords(planUniqueWhere),
  deleteMany: planManyRecords(planScalarWhere),
};

const TO_ONE_WRITES: Readonly<Record<NestedWriteName, ArgumentPlanner>> = {
  ...TO_MANY_WRITES,
  create: planOneRecord(planCreateData),
  connectOrCreate: planOneRecord(planConnectOrCreate),
  connect: planOneRecord(planUniqueWhere),
  disconnect: planSevered,
  update: planOneRecord(planToOneUpdate),
  upsert: planOneRecord(planParts({ where: optional(planWhere), create: planCreateData, update: planUpdateData })),
  delete: planSevered,
};
