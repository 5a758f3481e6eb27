import { ApiError } from '../../errors/api-error.js';
import type { StoredField, StoredModel } from '../../model/storage/storage.js';
import { fieldMembers, selectionOf } from '../../query/fields.js';
import { hasRowKey, rowKey } from '../../query/key.js';
import { countRows, type RowsRead } from '../../query/read.js';
import { type Row, rowsOf } from '../../query/result.js';
import { type ManyMember, type Member, type RelatedMember, relatedMembers, type Selection } from '../../query/selection.js';
import { countList, type Lists } from './count-list.js';
import { countAllRelated, relatedRows } from './count-related.js';
import type { Executor } from '../executor.js';
import type { AtMost } from '../plan.js';

/**
 * Checks that a read is within its limit before its rows are loaded. For each level, it loads the keys of rows that are few, and counts the rows in
 * the lists below them. So memory contains at most a small multiple of the limit.
 *
 * @throws ApiError when the read exceeds the limit
 */
export async function probeRows(executor: Executor, read: RowsRead, limit: AtMost): Promise<void> {
  const { selection } = read;
  if (read.kind === 'find' && read.page.distinct !== undefined) await probeDistinct(executor, read, limit);
  const most = (await probeLists(executor, read, limit)) ?? limit.rows;
  const depth = listDepth(selection);
  // Rows of to-one relations are not counted yet. Each row has at most one in each relation.
  const isOpen = most * references(selection) > limit.rows || (isOneWithShortLists(read) && depth === 1);
  if (isOpen) await findWithin(executor, read, { limit, level: depth, isWhole: true });
}

/**
 * Counts the rows in the lists of a read.
 *
 * @returns the number of rows in all lists and of their owners; undefined if there is no list to count
 */
async function probeLists(executor: Executor, read: RowsRead, limit: AtMost): Promise<number | undefined> {
  const { selection } = read;
  const { rows, problem } = limit;
  let most: number | undefined;
  for (let level = isOneWithShortLists(read) ? 1 : 0; level < listDepth(selection); level++) {
    const found = await findWithin(executor, read, { limit, level, isWhole: false });
    const lists = level === 0 ? firstLists(read, found) : listsBelow(selection, found, level);
    const related = countAllRelated(found, selection);
    const below = await countLists(executor, lists, rows - related);
    if (related + below > rows) throw ApiError.of([problem]);
    most = found.length + related + below;
  }
  return most;
}

/**
 * Counts the rows of a read with `distinct`, which Prisma computes in memory from all matching rows. Rows without a key need an order, because Prisma
 * ignores the limit otherwise.
 */
async function probeDistinct(executor: Executor, { model, where }: RowsRead & { readonly kind: 'find' }, limit: AtMost): Promise<void> {
  const order = hasRowKey(model) ? [] : [{ kind: 'field-term', path: [], field: offeredField(model), direction: 'asc' } as const];
  const found = await executor.run(countRows({ model, where, order, page: { take: limit.rows + 1 } }));
  if (found > limit.rows) throw ApiError.of([limit.problem]);
}

interface Level {
  readonly limit: AtMost;
  /** Number of levels of lists that are read. */
  readonly level: number;
  /** Whether to include to-one relations without lists below them. */
  readonly isWhole: boolean;
}

/** Loads the rows of a read, with keys only. */
async function findWithin(executor: Executor, read: RowsRead, { limit, level, isWhole }: Level): Promise<readonly Row[]> {
  const { rows, problem } = limit;
  const found = rowsOf(await executor.run({ ...read, selection: selectProbeKeys(read.selection, level, isWhole) }));
  if (found.length > rows || countAllRelated(found, read.selection) > rows) throw ApiError.of([problem]);
  return found;
}

/** Selects the keys of the rows, and the fields that the rows of their lists reference. */
function selectProbeKeys(selection: Selection, level: number, isWhole: boolean): Selection {
  const { model } = selection;
  const names = new Set(listKeyNames(model));
  const related: Member[] = [];
  for (const member of relatedMembers(selection)) {
    const isMany = member.kind === 'many';
    if (isMany) for (const reference of member.relation.referredBy?.references ?? []) names.add(reference);
    const isSelected = isMany ? level > 0 : isWhole || listDepth(member.selection) > 0;
    if (isSelected) related.push({ ...member, selection: selectProbeKeys(member.selection, isMany ? level - 1 : level, isWhole) });
  }
  return selectionOf(model, [...fieldMembers(model, [...names]), ...related]);
}

/** Returns the key fields of a model, or any sortable field if its rows have no key. */
function listKeyNames(model: StoredModel): readonly string[] {
  return hasRowKey(model) ? rowKey(model).fields : [offeredField(model).name];
}

/** Returns a field that the data client can read and sort by. */
function offeredField({ model, fields }: StoredModel): StoredField {
  const found = [...fields.values()].find(({ ignored, list, type }) => !ignored && !list && type !== 'Json');
  if (!found) throw new Error(`The rows of '${model}' have no field to sort by.`);
  return found;
}

/** Counts the to-one relations without lists below them. */
function references(selection: Selection): number {
  return relatedMembers(selection).reduce((sum, { kind, selection: inner }) => {
    return sum + references(inner) + (kind === 'many' || listDepth(inner) > 0 ? 0 : 1);
  }, 0);
}

/** Returns the lists at the given level. */
function listsBelow(selection: Selection, rows: readonly Row[], level: number): readonly Lists[] {
  if (level === 0) return listsOf(selection, rows);
  return relatedMembers(selection).flatMap((member) => {
    const below = rows.flatMap((row) => relatedRows(row, member));
    return listsBelow(member.selection, below, member.kind === 'many' ? level - 1 : level);
  });
}

/**
 * Returns the lists of the rows of a read, and of their to-one relations. For one record by its key, lists with a `take` are left out, because the
 * statement stops there.
 */
function firstLists(read: RowsRead, rows: readonly Row[]): readonly Lists[] {
  const own: readonly RelatedMember[] = relatedMembers(read.selection);
  return listsOf(read.selection, rows).filter(({ list }) => !(read.kind === 'find-unique' && own.includes(list) && stopsAtTake(list)));
}

/** Whether the statement for the list of one record stops at `take`. */
export function stopsAtTake({ page: { take, distinct, cursor } }: ManyMember): boolean {
  return take !== undefined && distinct === undefined && cursor === undefined;
}

function isOneWithShortLists(read: RowsRead): boolean {
  return read.kind === 'find-unique' && firstLists(read, []).length === 0;
}

function listsOf(selection: Selection, owners: readonly Row[]): readonly Lists[] {
  const { model } = selection;
  return relatedMembers(selection).flatMap((member) => {
    if (member.kind === 'many') return [{ list: member, model, owners }];
    return listsOf(
      member.selection,
      owners.flatMap((row) => relatedRows(row, member)),
    );
  });
}

/** Counts the rows in the lists. Upper bounds are replaced by exact counts while the sum exceeds the limit. */
async function countLists(executor: Executor, lists: readonly Lists[], room: number): Promise<number> {
  let sum = 0;
  const inexact: (() => Promise<number>)[] = [];
  for (const one of lists) {
    const { rows, exactly } = await countList(executor, one);
    if (exactly && rows > 0) inexact.push(async () => (await exactly()) - rows);
    sum += rows;
  }
  for (const correction of inexact) if (sum > room) sum += await correction();
  return sum;
}

/** Returns the number of levels of nested lists. */
function listDepth(selection: Selection): number {
  return relatedMembers(selection).reduce((most, { kind, selection: inner }) => {
    return Math.max(most, listDepth(inner) + (kind === 'many' ? 1 : 0));
  }, 0);
}
