import type { StoredModel } from '../../model/storage/storage.js';
import { and, uniqueAsCondition } from '../../query/condition.js';
import { selectionOf, withFields } from '../../query/fields.js';
import { rowKey, sameRow } from '../../query/key.js';
import { type Query, selectionIn } from '../../query/query.js';
import { countRows } from '../../query/read.js';
import { isRows, relatedCount, type ResultOf, type Row, rowsOf } from '../../query/result.js';
import {
  type CountsMember,
  type Member,
  nameOf,
  RELATED_COUNT,
  type RelatedCount,
  type RelatedMember,
  type Selection,
} from '../../query/selection.js';
import type { Delete } from '../../query/write.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import { countByForeignKey, isFilterable, oppositeOf, referredOwners, encodeFieldValues } from './count-list.js';
import type { Executor } from '../executor.js';

/** Prefix of the column in which Prisma counts a relation. PostgreSQL truncates identifiers to 63 bytes, and Prisma then does not find the column. */
const PREFIX = '_aggr_count_';
const MOST_BYTES = 63;

function isLong({ relation: { name } }: RelatedCount): boolean {
  return PREFIX.length + name.length > MOST_BYTES;
}

/** Whether a query selects relation counts whose column names are too long for Prisma to read. */
export function hasLongCounts(query: Query): boolean {
  const selection = selectionIn(query);
  return selection !== undefined && needsCounts(selection);
}

const needsCounts: (selection: Selection) => boolean = memoizeByObject(({ members }) =>
  members.some((member) =>
    member.kind === 'counts' ? member.counts.some(isLong) : 'selection' in member && needsCounts(member.selection),
  ),
);

/** Runs a query without these counts, and counts the related rows by queries of the related model. */
export async function countSeparately<Q extends Query>(executor: Executor, query: Q): Promise<ResultOf<Q>> {
  const selection = selectionIn(query);
  if (!selection) return executor.run(query);
  if (query.kind === 'delete') return (await deleteCounted(executor, query)) as ResultOf<Q>;
  const result = await executor.run({ ...query, selection: withoutCounts(selection) });
  const rows = await complete(executor, rowsOf(result), selection);
  // These are the rows of the result, completed with their counts.
  return (isRows(result) ? rows : (rows[0] ?? result)) as ResultOf<Q>;
}

/** Deletes a row, and returns it with its counts. The row is read first, because its related rows may be deleted with it. */
async function deleteCounted(executor: Executor, query: Delete): Promise<Row> {
  const { model, where, selection } = query;
  const row = await executor.run({ kind: 'find-unique', model, where, selection, isRequired: false });
  const deleted = await executor.run({ ...query, selection: withoutCounts(selection) });
  return row ?? deleted;
}

/** Returns the selection without these counts, and with the fields that identify the owner of a related row. */
const withoutCounts: (selection: Selection) => Selection = memoizeByObject((selection) => {
  if (!needsCounts(selection)) return selection;
  const members = selection.members.flatMap((member): readonly Member[] => {
    if (member.kind === 'counts') return withoutLong(member);
    return 'selection' in member ? [Object.freeze({ ...member, selection: withoutCounts(member.selection) })] : [member];
  });
  const fields = longCounts(selection).flatMap((count) => countedBy(selection.model, count));
  return withFields(selectionOf(selection.model, members), fields);
});

function withoutLong(member: CountsMember): readonly CountsMember[] {
  const counts = member.counts.filter((count) => !isLong(count));
  return counts.length > 0 ? [Object.freeze({ ...member, counts })] : [];
}

function longCounts({ members }: Selection): readonly RelatedCount[] {
  return members.flatMap((member) => (member.kind === 'counts' ? member.counts.filter(isLong) : []));
}

/** Returns the fields that related rows reference, or the key of the row if the related rows have no filterable foreign key. */
function countedBy(model: StoredModel, { relation: { referredBy }, target }: RelatedCount): readonly string[] {
  return referredBy && isFilterable(target, referredBy.fields) ? referredBy.references : rowKey(model).fields;
}

type CountOf = (row: Row) => number;

async function complete(executor: Executor, rows: readonly Row[], selection: Selection): Promise<readonly Row[]> {
  if (rows.length === 0 || !needsCounts(selection)) return rows;
  const totals = new Map<string, CountOf>();
  for (const count of longCounts(selection)) totals.set(count.relation.name, await queryCount(executor, rows, { count, selection }));
  const completed = rows.map((row): Record<string, unknown> => ({ ...pick(row, selection) }));
  for (const member of selection.members) {
    if (member.kind === 'counts') completed.forEach((row, index) => (row[RELATED_COUNT] = numbersOf(rows[index] ?? {}, member, totals)));
    else if ('selection' in member) await completeRelated(executor, completed, member);
  }
  return completed;
}

/** Returns the members of a row in the order of the selection, without the fields that were added. */
function pick(row: Row, { members }: Selection): Row {
  return Object.fromEntries(members.map(nameOf).map((name) => [name, row[name]]));
}

function numbersOf(row: Row, { counts }: CountsMember, totals: ReadonlyMap<string, CountOf>): Row {
  return Object.fromEntries(counts.map(({ relation: { name } }) => [name, totals.get(name)?.(row) ?? relatedCount(row, name)]));
}

/** Completes the related rows of all rows at once. */
async function completeRelated(executor: Executor, rows: readonly Record<string, unknown>[], member: RelatedMember): Promise<void> {
  const name = nameOf(member);
  const lists = rows.map((row) => rowsOf(row[name]));
  const completed = await complete(executor, lists.flat(), member.selection);
  let next = 0;
  rows.forEach((row, index) => {
    const own = completed.slice(next, (next += lists[index]?.length ?? 0));
    if (row[name]) row[name] = Array.isArray(row[name]) ? own : own[0];
  });
}

interface Counting {
  readonly count: RelatedCount;
  readonly selection: Selection;
}

async function queryCount(executor: Executor, rows: readonly Row[], { count, selection: { model } }: Counting): Promise<CountOf> {
  const { referredBy } = count.relation;
  const names = countedBy(model, count);
  const numbers = new Map<string, number>();
  if (referredBy?.references === names) {
    const { fields, references } = referredBy;
    const owners = referredOwners(rows, referredBy);
    const groups = owners.length === 0 ? [] : await countByForeignKey(executor, count, referredBy, owners);
    for (const group of groups) numbers.set(encodeFieldValues(group, fields), relatedCount(group, '_all') ?? 0);
    return (row) => numbers.get(encodeFieldValues(row, references)) ?? 0;
  }
  for (const row of rows)
    if (!numbers.has(encodeFieldValues(row, names)))
      numbers.set(encodeFieldValues(row, names), await countOfRow(executor, count, { model, row }));
  return (row) => numbers.get(encodeFieldValues(row, names)) ?? 0;
}

/** Counts the related rows of one row through the opposite relation, because the foreign keys are in a join table. */
function countOfRow(
  executor: Executor,
  { relation, target, where }: RelatedCount,
  { model, row }: { readonly model: StoredModel; readonly row: Row },
): Promise<number> {
  const opposite = oppositeOf({ relation, target });
  if (!opposite) {
    throw new Error(
      `Prisma cannot count ${model.model}.${relation.name}: the name is longer than ${MOST_BYTES - PREFIX.length} characters.`,
    );
  }
  const condition = uniqueAsCondition(sameRow(model, row));
  return executor.run(countRows({ model: target, where: and(where, { kind: 'some', relation: opposite, target: model, condition }) }));
}
