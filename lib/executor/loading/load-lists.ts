import { ApiError } from '../../errors/api-error.js';
import type { StoredForeignKey } from '../../model/storage/storage.js';
import { and } from '../../query/condition.js';
import { selectionOf } from '../../query/fields.js';
import { findMany, type FindMany, type RowsRead } from '../../query/read.js';
import { type ResultOf, type Row, rowsOf } from '../../query/result.js';
import { type ManyMember, nameOf, type Page, type RelatedMember, relatedMembers, type Selection } from '../../query/selection.js';
import { isFilterable, refersTo, referredOwners, encodeFieldValues } from './count-list.js';
import { countAllRelated } from './count-related.js';
import type { Executor } from '../executor.js';
import type { AtMost } from '../plan.js';
import { selectKeys } from './select-keys.js';

/** Result of {@link loadLists} if the rows have other fields than the query selects. */
export const NOT_LOADED = Symbol('not loaded');

/**
 * Runs a read, and loads each of its lists by a statement with a `LIMIT`. Prisma's own statement for the lists of several rows has no limit. This
 * needs no count, and as many statements as Prisma.
 *
 * @returns the result of the read, or {@link NOT_LOADED}
 * @throws ApiError if there are more related rows than the limit
 */
export async function loadLists<Q extends RowsRead>(executor: Executor, read: Q, limit: AtMost): Promise<ResultOf<Q> | typeof NOT_LOADED> {
  const { rows, problem } = limit;
  const { selection } = read;
  const lists = relatedMembers(selection).filter((member) => member.kind === 'many');
  const references = [...new Set(lists.flatMap((list) => requireForeignKey(list).references))];
  const plain = withoutLists(selection);
  const result = await executor.run({ ...read, selection: selectKeys(plain, references).selection });
  const owners = rowsOf(result);
  if (owners.some((row) => references.some((name) => row[name] === undefined))) return NOT_LOADED;
  let room = rows - countAllRelated(owners, plain);
  if (owners.length > rows || room < 0) throw ApiError.of([problem]);
  const found = new Map<string, ListOf>();
  for (const list of lists) {
    const loaded = await loadList(executor, { list, owners, limit: { ...limit, rows: room } });
    if (loaded === NOT_LOADED) return NOT_LOADED;
    room -= loaded.size;
    found.set(list.relation.name, loaded.of);
  }
  const complete = completer(selection, found);
  return (Array.isArray(result) ? owners.map(complete) : owners.length === 0 ? result : complete(owners[0] ?? {})) as ResultOf<Q>;
}

function withoutLists({ model, members }: Selection): Selection {
  return selectionOf(
    model,
    members.filter(({ kind }) => kind !== 'many'),
  );
}

type ListOf = (owner: Row) => readonly Row[];

/**
 * Returns a function that adds the lists to a row and removes members that were not selected. The members are in the order of the selection, as
 * Prisma returns them.
 */
function completer({ members }: Selection, lists: ReadonlyMap<string, ListOf>): (owner: Row) => Row {
  const named = members.map((member) => {
    const name = nameOf(member);
    return { name, listOf: member.kind === 'many' ? lists.get(name) : undefined };
  });
  return (owner) => {
    const row: Record<string, unknown> = {};
    for (const { name, listOf } of named) {
      if (listOf) row[name] = listOf(owner);
      else if (name in owner) row[name] = owner[name];
    }
    return row;
  };
}

/**
 * Whether the lists of a read can be loaded by {@link loadLists}. Their rows must have the foreign key, and only lists of a single record may have a
 * `take` or `skip`.
 */
export function canLoadLists(read: RowsRead, { rows }: AtMost): boolean {
  if (read.kind === 'find' && read.page.distinct !== undefined) return false;
  return areLoadable(relatedMembers(read.selection), read.kind === 'find-unique' ? isForwards : (page) => isWhole(page, rows), rows);
}

function areLoadable(related: readonly RelatedMember[], isPageable: (page: Page) => boolean, limit: number): boolean {
  return related.every((member) => {
    const inner = relatedMembers(member.selection);
    if (member.kind === 'one') return !inner.some(hasList);
    const { referredBy } = member.relation;
    if (!referredBy || !isFilterable(member.target, referredBy.fields)) return false;
    return isPageable(member.page) && areLoadable(inner, (page) => isWhole(page, limit), limit);
  });
}

/** Whether a page begins at the first row or at an offset, and goes forwards. */
function isForwards({ take = 0, cursor, distinct }: Page): boolean {
  return take >= 0 && cursor === undefined && distinct === undefined;
}

/** Whether all rows of a list are read: there is no `skip`, and no `take` within the limit. */
function isWhole(page: Page, limit: number): boolean {
  return isForwards(page) && page.skip === undefined && (page.take === undefined || page.take > limit);
}

function hasList({ kind, selection }: RelatedMember): boolean {
  return kind === 'many' || relatedMembers(selection).some(hasList);
}

interface List {
  readonly list: ManyMember;
  readonly owners: readonly Row[];
  /** How many more rows may be loaded. */
  readonly limit: AtMost;
}

interface LoadedList {
  /** The number of its rows and of their related rows. */
  readonly size: number;
  readonly of: ListOf;
}

async function loadList(executor: Executor, { list, owners, limit }: List): Promise<LoadedList | typeof NOT_LOADED> {
  const { target, where, order, page, selection } = list;
  const key = requireForeignKey(list);
  const linkedOwners = referredOwners(owners, key);
  if (linkedOwners.length === 0) return { size: 0, of: () => [] };
  const { selection: keyed, withoutKey } = selectKeys(selection, key.fields);
  const take = Math.min(page.take ?? Infinity, limit.rows + 1);
  const read = findMany({
    model: target,
    where: and(where, refersTo(target, key, linkedOwners)),
    order,
    page: { ...page, take },
    selection: keyed,
  });
  const rows = await loadRows(executor, read, limit);
  if (rows === NOT_LOADED || rows.some((row) => key.fields.some((name) => row[name] === undefined))) return NOT_LOADED;
  const size = rows.length + countAllRelated(rows, selection);
  if (size > limit.rows) throw ApiError.of([limit.problem]);
  const byOwner = new Map<string, Row[]>();
  for (const row of rows) {
    const text = encodeFieldValues(row, key.fields);
    const own = byOwner.get(text);
    if (own) own.push(withoutKey(row));
    else byOwner.set(text, [withoutKey(row)]);
  }
  return { size, of: (owner) => byOwner.get(encodeFieldValues(owner, key.references)) ?? [] };
}

function loadRows(executor: Executor, read: FindMany, limit: AtMost): Promise<readonly Row[] | typeof NOT_LOADED> {
  const hasLists = relatedMembers(read.selection).some(({ kind }) => kind === 'many');
  return hasLists ? loadLists(executor, read, limit) : executor.run(read);
}

function requireForeignKey({ relation: { name, referredBy } }: ManyMember): StoredForeignKey {
  if (referredBy === undefined) throw new TypeError(`The rows of ${name} hold no key.`);
  return referredBy;
}
