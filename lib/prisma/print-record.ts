import type { StoredModel } from '../model/storage/storage.js';
import { match, type Table } from '../query/match.js';
import { isUnique, type LinkedRow, type Verb, type WrittenField, type WrittenRecord, type WrittenRelation } from '../query/write.js';
import { printCondition, printUnique, printWhere } from './print-condition.js';
import { printExact } from './print-exact.js';

/** The `data` of a write of Prisma. */
export type Data = Readonly<Record<string, unknown>>;

/** A record as Prisma's `data`. */
export function printRecord({ fields, relations }: WrittenRecord): Data {
  return Object.fromEntries([
    ...fields.map((written) => [written.field.name, printValue(written)] as const),
    ...relations.map((written) => [written.relation.name, printVerbs(written)] as const),
  ]);
}

function printValue({ field, operation, value }: WrittenField): unknown {
  const printed = printExact(value, field);
  return operation === 'set' ? printed : { [operation]: printed };
}

/** The nested writes of one relation: operands by operation, of a to-many relation in lists, unless the client gave one record alone. */
function printVerbs({ relation: { many }, target, verbs }: WrittenRelation): Data {
  const writes: Record<string, unknown> = {};
  for (const verb of verbs) {
    const [name, operand] = printVerb(verb, target);
    if (!many || WHOLE.has(verb.kind) || isAlone(verb)) writes[name] = operand;
    else writes[name] = [...((writes[name] ?? []) as readonly unknown[]), operand];
  }
  return writes;
}

/** Verbs that stand for themselves in a to-many relation, too. */
const WHOLE: ReadonlySet<Verb['kind']> = new Set(['set', 'create-many-related']);

/** Whether its record stood for itself, and in no list: errors of the data client name its place as it was given. */
function isAlone(verb: Verb): boolean {
  if (verb.kind === 'create-related') return typeof verb.record.at.at(-1) === 'string';
  return verb.kind === 'connect-or-create' && typeof verb.record.at.at(-2) === 'string';
}

type NestedWrite = readonly [name: string, operand: unknown];

function printVerb(verb: Verb, target: StoredModel): NestedWrite {
  return match(VERBS, verb, target);
}

const VERBS: Table<Verb, [StoredModel], NestedWrite> = {
  'create-related': ({ record }) => ['create', printRecord(record)],
  'create-many-related': (verb) => ['createMany', { data: verb.records.map(printRecord), ...printSkipping(verb) }],
  'connect': ({ row }, target) => ['connect', printUnique(row, target)],
  'connect-or-create': ({ row, record }, target) => ['connectOrCreate', { where: printUnique(row, target), create: printRecord(record) }],
  'disconnect': ({ row }, target) => ['disconnect', printSevered(row, target)],
  'set': ({ rows }, target) => ['set', rows.map((row) => printUnique(row, target))],
  'update-related': ({ row, record }, target) => ['update', printUpdate(row, printRecord(record), target)],
  'update-many-related': ({ where, record }, target) => ['updateMany', { where: printCondition(where, target), data: printRecord(record) }],
  'upsert-related': ({ row, create, update }, target) => [
    'upsert',
    { ...printLinked(row, target), create: printRecord(create), update: printRecord(update) },
  ],
  'delete-related': ({ row }, target) => ['delete', printSevered(row, target)],
  'delete-many-related': ({ where }, target) => ['deleteMany', printCondition(where, target)],
};

export function printSkipping({ skipDuplicates }: { readonly skipDuplicates?: boolean }): { readonly skipDuplicates?: boolean } {
  return skipDuplicates === undefined ? {} : { skipDuplicates };
}

function printLinked(row: LinkedRow, target: StoredModel): { readonly where?: Data } {
  return isUnique(row) ? { where: printUnique(row, target) } : printWhere(row, target);
}

/** The key of a row, or the condition of the only one: `true` for whatever it is. */
function printSevered(row: LinkedRow, target: StoredModel): unknown {
  return printLinked(row, target).where ?? true;
}

/** Through a to-one relation the new data itself, unless Prisma would take that for `{ where, data }`. */
function printUpdate(row: LinkedRow, data: Data, target: StoredModel): Data {
  const { where } = printLinked(row, target);
  if (where) return { where, data };
  return target.fields.has('data') || target.relations.has('data') ? { data } : data;
}
