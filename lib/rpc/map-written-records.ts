import type { Relationship, Resource } from '../model/surface/surface.js';
import type { RecordAction } from '../validation/record-check.js';
import { isUpdateEnvelope } from './arguments/is-update-envelope.js';
import type { NestedWriteName } from './arguments/nested-writes.js';
import type { RpcCall } from './parse-rpc-call.js';

/** The data of one record in the arguments of a write. */
export interface WrittenData {
  readonly resource: Resource;
  readonly action: RecordAction;
  readonly data: Data;
  /** Its place in the arguments, e.g. `['data', 'posts', 'create', 0]`. */
  readonly path: readonly (string | number)[];
  /** The relation that the record is written through, seen from the record around it. */
  readonly through?: Relationship;
}

export type Data = Readonly<Record<string, unknown>>;

/**
 * Maps the data of every record that a call writes, itself and through relations at any depth, in the order in which it stands there.
 *
 * @param args the planned arguments: only what the planners let through is looked for
 * @param map sees a record before those inside it; relations of what it returns are walked into
 */
export function mapWrittenRecords({ resource, operation }: RpcCall, args: Data, map: (record: WrittenData) => Data): Data {
  const slots = SLOTS.filter((key) => Object.hasOwn(args, key));
  const ofData: RecordAction = operation.actions[0] === 'create' ? 'create' : 'update';
  const mapped = slots.map((key) => {
    const action = key === 'data' ? ofData : key;
    return [key, mapRecords({ resource, action, path: [key], map }, args[key])] as const;
  });
  return slots.length === 0 ? args : { ...args, ...Object.fromEntries(mapped) };
}

/** Where the operations keep the data of records. */
const SLOTS = ['data', 'create', 'update'] as const;

interface Walk {
  readonly resource: Resource;
  readonly action: RecordAction;
  readonly path: WrittenData['path'];
  readonly through?: Relationship;
  readonly map: (record: WrittenData) => Data;
}

/** One record or a list of them. */
function mapRecords(walk: Walk, value: unknown): unknown {
  if (!Array.isArray(value)) return mapRecord(walk, value as Data);
  return value.map((data: Data, index) => mapRecord({ ...walk, path: [...walk.path, index] }, data));
}

function mapRecord({ resource, action, path, through, map }: Walk, data: Data): Data {
  const mapped = map({ resource, action, data, path, ...(through && { through }) });
  const relations = Object.entries(mapped).flatMap(([name, writes]) => {
    const field = resource.fields.get(name);
    return field?.kind === 'relationship' ? [[name, mapNestedWrites(field, writes as Data, { path: [...path, name], map })] as const] : [];
  });
  return relations.length === 0 ? mapped : { ...mapped, ...Object.fromEntries(relations) };
}

function mapNestedWrites(through: Relationship, writes: Data, { path, map }: Pick<Walk, 'path' | 'map'>): Data {
  const { target, many } = through;
  const mapped = Object.entries(writes).map(([name, operands]) => {
    const slots = NESTED_DATA[name as NestedWriteName](many ? undefined : operands);
    const walks = slots.map(({ key, action }) => ({ key, walk: { resource: target, action, path: [...path, name], through, map } }));
    return [name, walks.length === 0 ? operands : mapOperands(walks, operands)] as const;
  });
  return Object.fromEntries(mapped);
}

interface SlotWalk {
  readonly key: string | undefined;
  readonly walk: Walk;
}

/** One operand or a list of them, each with the data of records in its slots. */
function mapOperands(walks: readonly SlotWalk[], operands: unknown): unknown {
  if (!Array.isArray(operands)) return walks.reduce(mapSlot, operands);
  return operands.map((operand: unknown, index) =>
    walks.map(({ key, walk }) => ({ key, walk: { ...walk, path: [...walk.path, index] } })).reduce(mapSlot, operand),
  );
}

function mapSlot(operand: unknown, { key, walk }: SlotWalk): unknown {
  if (key === undefined) return mapRecord(walk, operand as Data);
  const slots = operand as Data;
  return { ...slots, [key]: mapRecords({ ...walk, path: [...walk.path, key] }, slots[key]) };
}

/** Data of records within an operand: under a key of it, or the operand itself. */
interface Slot {
  readonly key?: string;
  readonly action: RecordAction;
}

/**
 * Where each nested write keeps the data of records.
 *
 * @param operand through a to-one relation only, where `update` has two forms
 */
const NESTED_DATA: Readonly<Record<NestedWriteName, (operand: unknown) => readonly Slot[]>> = {
  create: () => [{ action: 'create' }],
  createMany: () => [{ key: 'data', action: 'create' }],
  connectOrCreate: () => [{ key: 'create', action: 'create' }],
  update: (operand) => [operand === undefined || isUpdateEnvelope(operand) ? { key: 'data', action: 'update' } : { action: 'update' }],
  updateMany: () => [{ key: 'data', action: 'update' }],
  upsert: () => [
    { key: 'create', action: 'create' },
    { key: 'update', action: 'update' },
  ],
  connect: () => [],
  disconnect: () => [],
  set: () => [],
  delete: () => [],
  deleteMany: () => [],
};
