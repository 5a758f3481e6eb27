import { encodeFieldValues } from '../executor/loading/count-list.js';
import type { Executor } from '../executor/executor.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { ALWAYS, and, type Condition, equals, not } from '../query/condition.js';
import { fieldNamed, hasValues, selectFields } from '../query/fields.js';
import { rowKey } from '../query/key.js';
import { type RecordOfQuery, recordsOf } from '../query/map-records.js';
import { isWrite, type Query } from '../query/query.js';
import { findMany } from '../query/read.js';
import type { ResultOf, Row } from '../query/result.js';
import { setValues, type WrittenField } from '../query/write.js';
import { type GivenKey, givenKeys, type ReadableRows, ReferencedRows, type ReferencingSession } from './referenced-rows.js';
import type { FoundRows } from './rows.js';

/**
 * Wraps the executor of a client that returns only rows of its caller, and rejects writes that reference other rows. The database would accept them,
 * because its foreign key checks ignore policies. The referenced rows are checked after the write, with the visibility of the client's own
 * connection.
 */
export function executorWithVisibleReferences(executor: Executor, storage: Storage, foundRows: FoundRows): Executor {
  const context: ReferencingSession = { executor, foundRows, rules: { storage, isOpen: () => false, of: () => ALWAYS } };
  const { transaction } = executor;
  return {
    ...executor,
    run: async (query) => {
      const result = await (isWrite(query) ? writeReferring(context, query) : executor.run(query));
      foundRows.remember(query, result);
      return result;
    },
    transaction:
      transaction && ((work, options) => transaction((open) => work(executorWithVisibleReferences(open, storage, foundRows)), options)),
  };
}

async function writeReferring<Q extends Query>(context: ReferencingSession, query: Q): Promise<ResultOf<Q>> {
  const { executor, rules } = context;
  const records = recordsOf(query);
  const referred = new ReferencedRows(context);
  for (const { record } of records) referred.add(record.model, record.fields, [setValues(record)]);
  const parts = records.flatMap((written) => partialKeys(written, rules));
  const before = await danglingTexts(executor, parts);
  const result = await executor.run(query);
  for (const part of parts) {
    const rows = await danglingRows(executor, part);
    referred.add(
      part.model,
      part.given,
      rows.filter((row) => !before.has(textOfRow(part, row))),
    );
  }
  await referred.check();
  return result;
}

/** A foreign key of which a record sets only some columns. The row already has the others, or gets them from a relation or a default. */
interface PartialKey extends GivenKey {
  readonly model: StoredModel;
  readonly given: readonly WrittenField[];
  /** The rows with these values that reference no visible row. */
  readonly where: Condition;
  /** The fields that identify the row and its foreign key. */
  readonly names: readonly string[];
}

function partialKeys({ record, through }: RecordOfQuery, rules: ReadableRows): readonly PartialKey[] {
  const { model, action, fields } = record;
  const values = setValues(record);
  const filled = new Set(through?.relation.referredBy?.fields);
  /** Whether a column that the record leaves out may have a value. In a new row, a relation or a default must set it. */
  const mayHold = (name: string): boolean => action === 'update' || filled.has(name) || model.fields.get(name)?.default !== undefined;
  return givenKeys(rules, model, fields).flatMap((one) => {
    const { fields: columns } = one.key;
    const set = columns.filter((name) => name in values);
    const missing = columns.filter((name) => !(name in values));
    if (missing.length === 0 || !missing.every(mayHold) || set.some((name) => values[name] === null)) return [];
    const where = and(
      hasValues(model, Object.fromEntries(set.map((name) => [name, values[name]]))),
      ...missing.filter((name) => model.fields.get(name)?.optional).map((name) => not(equals(fieldNamed(model, name), null))),
      leadsNowhere(one, set, values),
    );
    return [{ ...one, model, given: fields, where, names: [...new Set([...rowKey(model).fields, ...columns])] }];
  });
}

/**
 * Compiles the condition that no visible row has the referenced values. Prisma would evaluate a comparison of the relation with null on the foreign
 * key alone.
 */
function leadsNowhere({ relation, target, key }: GivenKey, set: readonly string[], values: Row): Condition {
  if (relation.ignored) return ALWAYS;
  const names = set.map((name) => [key.references[key.fields.indexOf(name)] ?? '', values[name]] as const);
  return Object.freeze({ kind: 'isNot', relation, target, condition: hasValues(target, Object.fromEntries(names)) });
}

/** Returns the references that were dangling before the write, which has not caused them. */
async function danglingTexts(executor: Executor, parts: readonly PartialKey[]): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  for (const part of parts) for (const row of await danglingRows(executor, part)) texts.add(textOfRow(part, row));
  return texts;
}

function textOfRow({ model, relation, names }: PartialKey, row: Row): string {
  return `${model.model}.${relation.name} ${encodeFieldValues(row, names)}`;
}

/** Returns the rows with such a key that reference no row visible to the client. */
async function danglingRows(executor: Executor, { model, where, names }: PartialKey): Promise<readonly Row[]> {
  return executor.run(findMany({ model, where, selection: selectFields(model, names) }));
}
