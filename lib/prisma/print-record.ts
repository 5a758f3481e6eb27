import type { StoredModel } from '../model/storage/storage.js';
import { match, type Table } from '../query/match.js';
import { isUnique, type LinkedRow, type Verb, type WrittenField, type WrittenRecord, type WrittenRelation } from '../query/write.js';
import { printCondition, printUnique, printWhere } from './print-condition.js';
import { printExact } from './print-exact.js';

/** The `data` of a Prisma write. */
export type Data = Readonly<Record<string, unknown>>;

/** Prints a record as Prisma's `data`. */
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

/** Prints the nested writes of one relation, by operation. For a to-many relation, operands are lists, unless the client gave a single record. */
function printVerbs({ relation: { many }, target, verbs }: WrittenRelation): Data {
  const writes: Record<string, unknown> = {};
  for (const verb of verbs) {
    const [name, operand] = printVerb(verb, target);
    if (!many || WHOLE.has(verb.kind) || isAlone(verb)) writes[name] = operand;
    else writes[name] = [...((writes[name] ?? []) as readonly unknown[]), operand];
  }
  return writes;
}

/** Operations whose operand is not an element of a list, even in a to-many relation. */
const WHOLE: ReadonlySet<Verb['kind']> = new Set(['set', 'create-many-related']);

/**
 * Whether the client gave a record alone instead of in a list. It is printed in the same form, because errors of the data client contain its path.
 */
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

/** Prints the key of a related row, or the condition on the only related row; `true` without a condition. */
function printSevered(row: LinkedRow, target: StoredModel): unknown {
  return printLinked(row, target).where ?? true;
}

/**
 * Prints an update of a related row. For a to-one relation it is the data itself, unless the target has a member `data`, so that Prisma would read it
 * as `{ where, data }`.
 */
function printUpdate(row: LinkedRow, data: Data, target: StoredModel): Data {
  const { where } = printLinked(row, target);
  if (where) return { where, data };
  return target.fields.has('data') || target.relations.has('data') ? { data } : data;
}
