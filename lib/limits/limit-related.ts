import { stopsAtTake } from '../executor/loading/probe-rows.js';
import type { AtMost } from '../executor/plan.js';
import { type Query, selectionIn } from '../query/query.js';
import { type RelatedMember, relatedMembers } from '../query/selection.js';

/**
 * Returns the limit on the rows of a query, and on all their related rows together; undefined if the query cannot exceed it.
 *
 * @param isOpen whether the query itself may return more than `rows` rows
 */
export function limitRelated(query: Query, { rows, problem }: Pick<AtMost, 'rows' | 'problem'>, isOpen: boolean): AtMost | undefined {
  const selection = selectionIn(query);
  const related = selection ? relatedMembers(selection) : [];
  const isSingle = SINGLE.has(query.kind);
  if (!Number.isSafeInteger(rows) || (isSingle && related.length === 0)) return undefined;
  // Prisma applies `distinct` in memory, so that it may load any number of rows.
  const most = isDistinct(query) ? Infinity : mostLoaded({ isSingle, take: takeOf(query) ?? rows }, related);
  if (!isOpen && most <= rows) return undefined;
  return { kind: 'at-most', rows, problem, ...(most > rows * TOLERANCE && { isProbed: true }) };
}

function isDistinct(query: Query): boolean {
  return query.kind === 'find' && query.page.distinct !== undefined;
}

function takeOf(query: Query): number | undefined {
  if (!('page' in query)) return undefined;
  if (query.kind === 'find' && query.rows === 'first') return 1;
  return query.page.take === undefined ? undefined : Math.abs(query.page.take);
}

/** The multiple of the limit that a query may load without counting the rows first. */
const TOLERANCE = 3;

/** Queries of one record. Only for these does Prisma apply the `take` of a related list in the database. */
const SINGLE: ReadonlySet<Query['kind']> = new Set(['find-unique', 'create', 'update', 'upsert', 'delete'] as const);

interface Parents {
  /** Whether it is a single row, found by its key. */
  readonly isSingle: boolean;
  /** The maximum number of rows. */
  readonly take: number;
}

/** Returns the maximum number of related rows that a query can load; `Infinity` if the query does not limit them. */
function mostLoaded({ isSingle, take }: Parents, related: readonly RelatedMember[]): number {
  return related.reduce((most, member) => {
    if (member.kind === 'many' && !(isSingle && stopsAtTake(member))) return Infinity;
    const rows = member.kind === 'many' ? Math.abs(member.page.take ?? 0) : isSingle ? 1 : take;
    return most + rows + mostLoaded({ isSingle: false, take: rows }, relatedMembers(member.selection));
  }, 0);
}

/** Returns `take` for `limit` rows plus one, which shows that more rows exist; no `take` for an infinite limit. */
export function takeOneMore(limit: number): { readonly take?: number } {
  return Number.isSafeInteger(limit) ? { take: limit + 1 } : {};
}
