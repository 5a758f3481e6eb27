import { selectFields } from '../../query/fields.js';
import { rowKey, sameRow } from '../../query/key.js';
import { type FindMany, findMany, type FindUnique } from '../../query/read.js';
import { isRows, type ResultOf, type Row } from '../../query/result.js';
import type { UniqueCondition } from '../../query/condition.js';
import type { ReturningWrite } from '../../query/write.js';
import { isAmongRows, encodeFieldValues } from './count-list.js';
import type { Executor } from '../executor.js';
import { selectKeys } from './select-keys.js';

/** A function that reads the response of a write. */
export type Read = <Q extends FindMany | FindUnique>(executor: Executor, read: Q) => Promise<ResultOf<Q>>;

/**
 * Runs a write that returns only keys, and reads its response by a second query. The response of a delete is read first. The caller must run this in
 * a transaction.
 */
export async function writeThenRead<Q extends ReturningWrite>(executor: Executor, write: Q, read: Read): Promise<ResultOf<Q>>;
export async function writeThenRead(executor: Executor, write: ReturningWrite, read: Read): Promise<Row | null | readonly Row[]> {
  const { model } = write;
  const bare = withKeysAlone(write);
  const readOne = (where: UniqueCondition): Promise<Row | null> => {
    const { selection } = write;
    const strategy = 'loadStrategy' in write && { loadStrategy: write.loadStrategy };
    return read(executor, { kind: 'find-unique', model, where, selection, isRequired: true, ...strategy });
  };
  if (write.kind === 'delete') {
    const row = await readOne(write.where);
    await executor.run(bare);
    return row;
  }
  const written = await executor.run(bare);
  return isRows(written) ? readAll(executor, { write, keys: written, read }) : readOne(sameRow(model, written));
}

/** Returns the same write with a selection of only the key. */
export function withKeysAlone<Q extends ReturningWrite>(write: Q): Q {
  return { ...write, selection: selectFields(write.model, rowKey(write.model).fields) };
}

interface WrittenRows {
  readonly write: ReturningWrite;
  readonly keys: readonly Row[];
  readonly read: Read;
}

/** Reads the rows with these keys, in the order of the keys. */
async function readAll(executor: Executor, { write: { model, selection }, keys, read }: WrittenRows): Promise<readonly Row[]> {
  if (keys.length === 0) return [];
  const { fields } = rowKey(model);
  const { selection: keyed, withoutKey } = selectKeys(selection, fields);
  const rows = await read(executor, findMany({ model, where: isAmongRows(model, fields, keys), selection: keyed }));
  const byKey = new Map(rows.map((row) => [encodeFieldValues(row, fields), withoutKey(row)]));
  return keys.map((key) => byKey.get(encodeFieldValues(key, fields))).filter((row) => row !== undefined);
}
