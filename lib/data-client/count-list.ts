import type { DataClient } from './data-client.js';
import { callClient } from './call-client.js';
import { valueText } from './missing-records.js';
import type { RelatedRelation } from './plan.js';

type Row = Readonly<Record<string, unknown>>;

/** The number of rows in a list, or an upper bound of it. */
export interface ListCount {
  readonly rows: number;
  /** Counts exactly, if the number is an upper bound so far. This takes the database longer. */
  readonly exactly?: () => Promise<number>;
}

/**
 * Counts the rows in one relation of several rows, before they are loaded: Prisma loads a list of several rows as a whole, whatever its `take`.
 *
 * @param owners the rows that have the list; a row that occurs twice counts twice
 */
export async function countList(client: DataClient, relation: RelatedRelation, owners: readonly Row[]): Promise<ListCount> {
  if (owners.length === 0) return { rows: 0 };
  const { foreignKey, opposite } = relation;
  if (foreignKey) return { rows: await countByKey(client, { relation, foreignKey }, owners) };
  const exactly = (): Promise<number> => countPairs(client, relation, owners);
  if (opposite === undefined) return { rows: await exactly() };
  return { rows: await countReached(client, { relation, opposite }, owners), exactly };
}

type ForeignKey = NonNullable<RelatedRelation['foreignKey']>;

/** The number of rows for each value of the key that the rows of the list hold. */
async function countByKey(
  client: DataClient,
  { relation, foreignKey }: { readonly relation: RelatedRelation; readonly foreignKey: ForeignKey },
  owners: readonly Row[],
): Promise<number> {
  const { fields, references } = foreignKey;
  const owned = timesOf(owners, references);
  const [field = ''] = fields;
  const [reference = ''] = references;
  const among = { [field]: { in: distinct(owners.map((owner) => owner[reference])) } };
  const groups = await callClient(client, {
    delegate: relation.target.delegate,
    operation: 'groupBy',
    args: { by: fields, where: both(relation.args['where'], among), _count: { _all: true } },
  });
  return (groups as readonly Row[]).reduce((sum, group) => sum + (owned.get(textOf(group, fields)) ?? 0) * countOf(group, '_all'), 0);
}

/** An upper bound: the number of all reached rows, for every owner. */
async function countReached(
  client: DataClient,
  { relation, opposite }: { readonly relation: RelatedRelation; readonly opposite: string },
  owners: readonly Row[],
): Promise<number> {
  const among = { [opposite]: { some: whereAmong(owners, relation.owner.key) } };
  const args = { where: both(relation.args['where'], among) };
  const reached = await callClient(client, { delegate: relation.target.delegate, operation: 'count', args });
  return Number(reached) * owners.length;
}

/** By `_count` of the owners, which Prisma computes for the whole table. */
async function countPairs(client: DataClient, { name, owner, args: { where } }: RelatedRelation, owners: readonly Row[]): Promise<number> {
  const times = timesOf(owners, owner.key);
  const counted = { select: { [name]: where === undefined ? true : { where } } };
  const select = { ...Object.fromEntries(owner.key.map((field) => [field, true])), _count: counted };
  const args = { where: whereAmong(owners, owner.key), select };
  const rows = await callClient(client, { delegate: owner.delegate, operation: 'findMany', args });
  return (rows as readonly Row[]).reduce((sum, row) => sum + (times.get(textOf(row, owner.key)) ?? 0) * countOf(row, name), 0);
}

function countOf(row: Row, name: string): number {
  return Number((row['_count'] as Row | undefined)?.[name] ?? 0);
}

/** How many rows have the same values, by the text of the values. */
function timesOf(rows: readonly Row[], names: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const row of rows) {
    const text = textOf(row, names);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  return times;
}

/** One text of the values of some fields. Two rows have the same text exactly if their values are equal. */
export function textOf(row: Row, names: readonly string[]): string {
  const [name = ''] = names;
  if (names.length === 1) return valueText(row[name]);
  return JSON.stringify(names.map((name) => valueText(row[name])));
}

function distinct(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [valueText(value), value])).values()];
}

/**
 * The condition for rows that have the values of one of these rows.
 *
 * @param names the fields that the condition is about
 * @param own what these fields are called in the given rows
 */
export function whereAmong(rows: readonly Row[], names: readonly string[], own = names): Row {
  const [name = '', ...others] = names;
  const [ownName = ''] = own;
  if (others.length === 0) return { [name]: { in: distinct(rows.map((row) => row[ownName])) } };
  const keyOf = (row: Row): Row => Object.fromEntries(names.map((part, index) => [part, row[own[index] ?? '']]));
  return { OR: [...new Map(rows.map((row) => [textOf(row, own), keyOf(row)])).values()] };
}

/** Both conditions. The first one keeps its place: Prisma takes `OR: []` for no row, but within `AND` for every row. */
export function both(where: unknown, among: Row): Row {
  if (where === undefined) return among;
  const given = where as Row;
  return { ...given, AND: [...[given['AND'] ?? []].flat(), among] };
}
