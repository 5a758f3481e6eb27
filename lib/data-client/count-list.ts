import type { DataClient } from './data-client.js';
import { callClient } from './call-client.js';
import { valueText } from './missing-records.js';
import type { RelatedRelation } from './plan.js';

type Row = Readonly<Record<string, unknown>>;

/** How many rows are in a list of several rows, or at most. */
export interface ListCount {
  readonly rows: number;
  /** Counts exactly, where that was not done yet: it takes the database longer. */
  readonly exactly?: () => Promise<number>;
}

/**
 * Counts the rows in one relation of several rows, before they are loaded: Prisma loads a list of several rows as a whole, whatever its `take`.
 *
 * @param owners the rows that have the list; one that is there twice has it twice
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

/** By the key that the rows of the list hold: how many have which. */
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

/** No more than all rows that are reached in the list of every owner. */
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

/** As the owners' own numbers of related rows, which Prisma works out for the whole table. */
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

/** How often rows with the same values are there, by the text of these. */
function timesOf(rows: readonly Row[], names: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const row of rows) {
    const text = textOf(row, names);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  return times;
}

/** The values of some fields as one text, the same for two rows exactly where the values are. */
export function textOf(row: Row, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => valueText(row[name])));
}

function distinct(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [valueText(value), value])).values()];
}

/** The rows with the values of some of these. */
export function whereAmong(rows: readonly Row[], names: readonly string[]): Row {
  const [name = '', ...others] = names;
  if (others.length === 0) return { [name]: { in: distinct(rows.map((row) => row[name])) } };
  const keys = new Map(rows.map((row) => [textOf(row, names), Object.fromEntries(names.map((part) => [part, row[part]]))]));
  return { OR: [...keys.values()] };
}

/** What both conditions leave. */
export function both(where: unknown, among: Row): Row {
  return where === undefined ? among : { AND: [where, among] };
}
