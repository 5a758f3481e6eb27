import { textOf, whereAmong } from '../data-client/count-list.js';
import { unaskedOf, withFields, withoutFields } from '../data-client/selected-keys.js';
import { keyChunks } from './key-chunks.js';
import type { ApartRelation } from './rule-selection.js';
import type { Args, Row } from './session.js';

/** Reads rows of a model under the rules. */
export type ReadMany = (model: string, args: Args) => Promise<readonly Row[]>;

/** Loads what a call left to be loaded apart, and puts it into the rows of its result. */
export async function loadApart(read: ReadMany, result: unknown, relations: readonly ApartRelation[]): Promise<unknown> {
  let loaded = result;
  for (const relation of relations) {
    const found = await findRelated(read, relation, rowsAt(loaded, relation.path));
    loaded = mapRows(loaded, relation.path, (row) => ({ ...row, [relation.name]: found(row) }));
  }
  for (const { path, added } of relations) if (added.length > 0) loaded = mapRows(loaded, path, (row) => withoutFields(row, added));
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
  const { target, key, args } = relation;
  if (!args || owners.length === 0) return () => null;
  const { fields, references } = key;
  const wanted = new Map(
    owners.map((owner) => [textOf(owner, fields), Object.fromEntries(fields.map((name, index) => [references[index] ?? '', owner[name]]))]),
  );
  const added = unaskedOf(args, references);
  const selection = withFields(args, added);
  const found = new Map<string, Row>();
  for (const keys of keyChunks([...wanted.values()])) {
    const rows = await read(target, { ...selection, where: whereAmong(keys, references) });
    for (const row of rows) found.set(textOf(row, references), withoutFields(row, added));
  }
  return (owner) => found.get(textOf(owner, fields)) ?? null;
}
