import { textOf } from '../data-client/count-list.js';
import { selectKeys } from '../data-client/select-keys.js';
import { isAmong } from '../query/fields.js';
import { type FindMany, findMany } from '../query/read.js';
import type { Row } from '../query/result.js';
import type { ApartRelation } from './ruled-selection.js';
import { keyChunks } from './rows.js';

/** Reads rows under the rules. */
export type ReadMany = (query: FindMany) => Promise<readonly Row[]>;

/** Loads what a query left to be loaded apart, and puts it into the rows of its result. */
export async function loadApart(read: ReadMany, result: unknown, relations: readonly ApartRelation[]): Promise<unknown> {
  let loaded = result;
  for (const relation of relations) {
    const found = await findRelated(read, relation, rowsAt(loaded, relation.path));
    loaded = mapRows(loaded, relation.path, (row) => ({ ...row, [relation.name]: found(row) }));
  }
  for (const { path, withoutKey } of relations) loaded = mapRows(loaded, path, withoutKey);
  return loaded;
}

function rowsAt(value: unknown, path: readonly string[]): readonly Row[] {
  const [name, ...others] = path;
  const rows = ([value].flat() as readonly (Row | null | undefined)[]).filter((row) => row !== null && row !== undefined);
  return name === undefined ? rows : rows.flatMap((row) => rowsAt(row[name], others));
}

function mapRows(value: unknown, path: readonly string[], map: (row: Row) => Row): unknown {
  if (Array.isArray(value)) return value.map((one) => mapRows(one, path, map));
  if (value === null || value === undefined) return value;
  const row = value as Row;
  const [name, ...others] = path;
  return name === undefined ? map(row) : { ...row, [name]: mapRows(row[name], others, map) };
}

async function findRelated(read: ReadMany, relation: ApartRelation, owners: readonly Row[]): Promise<(owner: Row) => Row | null> {
  const { target, key, selection, isClosed } = relation;
  if (isClosed || owners.length === 0) return () => null;
  const { fields, references } = key;
  const wanted = new Map(
    owners.map((owner) => [textOf(owner, fields), Object.fromEntries(fields.map((name, index) => [references[index] ?? '', owner[name]]))]),
  );
  const keyed = selectKeys(selection, references);
  const found = new Map<string, Row>();
  for (const keys of keyChunks([...wanted.values()])) {
    const where = isAmong(target, references, keys);
    const rows = await read(findMany({ model: target, where, selection: keyed.selection }));
    for (const row of rows) found.set(textOf(row, references), keyed.withoutKey(row));
  }
  return (owner) => found.get(textOf(owner, fields)) ?? null;
}
