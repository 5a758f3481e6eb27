import type { StoredForeignKey, StoredModel, StoredRelation } from '../../model/storage/storage.js';
import { isConnectiveName } from '../../model/surface/prisma-operators.js';
import { and, ALWAYS, type Condition } from '../../query/condition.js';
import { fieldMembers, fieldNamed, isAmong, selectionOf } from '../../query/fields.js';
import { rowKey } from '../../query/key.js';
import { countRows, findMany } from '../../query/read.js';
import { relatedCount, type Row } from '../../query/result.js';
import { type ManyMember, type RelatedCount, WHOLE } from '../../query/selection.js';
import type { Executor } from '../executor.js';
import { valueText } from '../missing-records.js';

/** The number of rows in a list, or an upper bound of it. */
export interface ListCount {
  readonly rows: number;
  /** Counts exactly. Present if `rows` is an upper bound. The exact count takes the database longer. */
  readonly exactly?: () => Promise<number>;
}

/** The lists that several rows of a model have in one relation. */
export interface Lists {
  readonly list: ManyMember;
  readonly model: StoredModel;
  /** A row that occurs twice counts twice. Each row has its key, and the fields that the rows of the list reference. */
  readonly owners: readonly Row[];
}

/**
 * Counts the rows in one relation of several rows, before they are loaded. Because Prisma loads the lists of several rows whole, `take` does not
 * limit the load.
 */
export async function countList(executor: Executor, lists: Lists): Promise<ListCount> {
  const { list, owners } = lists;
  if (owners.length === 0) return { rows: 0 };
  const { referredBy, joinTable } = list.relation;
  if (referredBy && isFilterable(list.target, referredBy.fields)) {
    const referred = referredOwners(owners, referredBy);
    return { rows: referred.length === 0 ? 0 : await countByKey(executor, { ...lists, owners: referred }, referredBy) };
  }
  const exactly = (): Promise<number> => countPairs(executor, lists);
  const opposite = joinTable && oppositeOf(list);
  if (!opposite) return { rows: await exactly() };
  const { model } = lists;
  const among: Condition = { kind: 'some', relation: opposite, target: model, condition: isAmongRows(model, rowKey(model).fields, owners) };
  const reached = await executor.run(countRows({ model: list.target, where: and(list.where, among) }));
  return { rows: reached * owners.length, exactly };
}

/** Returns the owners that rows can reference. No row references null, and Prisma rejects null in a list of values. */
export function referredOwners(owners: readonly Row[], { references }: StoredForeignKey): readonly Row[] {
  return owners.filter((owner) => references.every((name) => owner[name] !== null));
}

/** Whether the Prisma client can filter by all of these fields. */
export function isFilterable({ fields }: StoredModel, names: readonly string[]): boolean {
  return names.every((name) => fields.get(name)?.ignored === false && !isConnectiveName(name));
}

/** Returns the opposite relation, if the Prisma client exposes it. */
export function oppositeOf({ relation: { opposite }, target }: Pick<ManyMember, 'relation' | 'target'>): StoredRelation | undefined {
  const found = opposite === undefined ? undefined : target.relations.get(opposite);
  return found?.ignored === false ? found : undefined;
}

/** Counts the rows of the list for each foreign key value, and adds up the counts of all owners. */
async function countByKey(executor: Executor, { list, owners }: Lists, key: StoredForeignKey): Promise<number> {
  const groups = await countByForeignKey(executor, list, key, owners);
  const owned = timesOf(owners, key.references);
  return groups.reduce(
    (sum, group) => sum + (owned.get(encodeFieldValues(group, key.fields)) ?? 0) * (relatedCount(group, '_all') ?? 0),
    0,
  );
}

/** Counts the related rows of several rows, in groups by the values of their foreign key. */
export function countByForeignKey(
  executor: Executor,
  { target, where }: Pick<RelatedCount, 'target' | 'where'>,
  key: StoredForeignKey,
  owners: readonly Row[],
): Promise<readonly Row[]> {
  return executor.run({
    kind: 'group-by',
    model: target,
    by: key.fields.map((name) => fieldNamed(target, name)),
    where: and(where, refersTo(target, key, owners)),
    having: ALWAYS,
    order: [],
    page: WHOLE,
    aggregates: [{ aggregate: '_count', of: ['_all'] }],
  });
}

/** Adds up the relation counts of the owners, which Prisma computes for the whole table. */
async function countPairs(executor: Executor, { list, model, owners }: Lists): Promise<number> {
  const { relation, target, where } = list;
  const { fields } = rowKey(model);
  const times = timesOf(owners, fields);
  const selection = selectionOf(model, [...fieldMembers(model, fields), { kind: 'counts', counts: [{ relation, target, where }] }]);
  const rows = await executor.run(findMany({ model, where: isAmongRows(model, fields, owners), selection }));
  return rows.reduce((sum, row) => sum + (times.get(encodeFieldValues(row, fields)) ?? 0) * (relatedCount(row, relation.name) ?? 0), 0);
}

/** Counts how many rows have the same values, by the encoded text of the values. */
function timesOf(rows: readonly Row[], names: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const row of rows) {
    const text = encodeFieldValues(row, names);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  return times;
}

/** Encodes the values of some fields as one text. Two rows have the same text exactly if their values are equal. */
export function encodeFieldValues(row: Row, names: readonly string[]): string {
  const [name = ''] = names;
  if (names.length === 1) return valueText(row[name]);
  return JSON.stringify(names.map((name) => valueText(row[name])));
}

/** Compiles the condition that a row of the target references one of these owners. */
export function refersTo(target: StoredModel, { fields, references }: StoredForeignKey, owners: readonly Row[]): Condition {
  const keys = owners.map((owner) => Object.fromEntries(fields.map((field, index) => [field, owner[references[index] ?? '']])));
  return isAmongRows(target, fields, keys);
}

/** Compiles the condition that a row has the values of one of these rows. Duplicate values are removed. */
export function isAmongRows(model: StoredModel, names: readonly string[], rows: readonly Row[]): Condition {
  return isAmong(model, names, [...new Map(rows.map((row) => [encodeFieldValues(row, names), row])).values()]);
}
