import { or } from '../query/condition.js';
import { hasValues } from '../query/fields.js';
import { mapRecords } from '../query/map-records.js';
import type { FindMany } from '../query/read.js';
import type { Row } from '../query/result.js';
import type { WrittenField } from '../query/write.js';
import type { Executor } from './executor.js';
import { missingRecords } from './missing-records.js';
import type { DataCall, WantedRecord, WrittenKey } from './plan.js';

/** A wanted record that is stored under a collation-equal key, such as a case variant. */
export interface Spelling {
  readonly wanted: WantedRecord;
  readonly model: WrittenKey['model'];
  /** The key as it is stored. */
  readonly stored: Row;
}

/**
 * Finds the wanted records that are stored under a collation-equal key. The database decides which texts are equal.
 *
 * The search bisects: it queries all records at once, and each half only if a row was found. Records that do not exist cost one query.
 */
export async function findCollationEqualKeys(
  executor: Executor,
  read: FindMany,
  wanted: readonly WantedRecord[],
): Promise<readonly Spelling[]> {
  if (wanted.length === 0) return [];
  const { model } = read;
  const where = or(...wanted.map(({ key }) => hasValues(model, key)));
  const [first] = await executor.run<FindMany>({ ...read, where, page: { take: 1 } });
  if (!first) return [];
  const [only, ...others] = wanted;
  if (only && others.length === 0) return [{ wanted: only, model, stored: first }];
  const middle = Math.ceil(wanted.length / 2);
  return [
    ...(await findCollationEqualKeys(executor, read, wanted.slice(0, middle))),
    ...(await findCollationEqualKeys(executor, read, wanted.slice(middle))),
  ];
}

/** Replaces foreign keys by the stored keys of the records that they reference, because Prisma itself compares keys exactly when it joins rows. */
export function useStoredKeys(call: DataCall, spellings: readonly Spelling[]): DataCall {
  const { query, foreignKeys = [] } = call;
  if (spellings.length === 0 || foreignKeys.length === 0) return call;
  const stored = new Map(foreignKeys.flatMap((key) => storedColumns(key, spellings)));
  const spell = (written: WrittenField): WrittenField => {
    const { name } = written.field;
    return stored.has(name) ? { ...written, value: stored.get(name) } : written;
  };
  const spelled = mapRecords(query, ({ record, through }) => (through ? record : { ...record, fields: record.fields.map(spell) }));
  return { ...call, query: spelled };
}

function storedColumns({ model, key, columns }: WrittenKey, spellings: readonly Spelling[]): readonly (readonly [string, unknown])[] {
  const spelling = spellings.find(
    (one) => one.model === model && missingRecords(model, [{ key, detail: '' }], [one.wanted.key]).length === 0,
  );
  return spelling ? columns.map(({ column, reference }) => [column, spelling.stored[reference]] as const) : [];
}
