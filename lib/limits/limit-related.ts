import { isTaken } from '../executor/is-taken.js';
import type { AtMost } from '../executor/plan.js';
import { type Query, selectionIn } from '../query/query.js';
import { type RelatedMember, relatedMembers } from '../query/selection.js';

/**
 * What the rows of a query must hold to, where more could come: how many there are, and again how many come along with them.
 *
 * @param isOpen whether the query itself could find more than so many rows
 */
export function limitRelated(query: Query, { rows, problem }: Pick<AtMost, 'rows' | 'problem'>, isOpen: boolean): AtMost | undefined {
  const selection = selectionIn(query);
  const related = selection ? relatedMembers(selection) : [];
  const isSingle = SINGLE.has(query.kind);
  if (!Number.isSafeInteger(rows) || (isSingle && related.length === 0)) return undefined;
  // Prisma finds distinct rows in memory.
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

/** What may be loaded to see that it is too much, in times of what may be returned. */
const TOLERANCE = 3;

/** Queries about one record: only of this do Prisma's statements load no more of a list than its `take`. */
const SINGLE: ReadonlySet<Query['kind']> = new Set(['find-unique', 'create', 'update', 'upsert', 'delete'] as const);

interface Parents {
  /** Whether there is one, found by its key. */
  readonly isSingle: boolean;
  /** How many there may be. */
  readonly take: number;
}

/** The most related rows that are loaded, as far as the query tells. */
function mostLoaded({ isSingle, take }: Parents, related: readonly RelatedMember[]): number {
  return related.reduce((most, member) => {
    if (member.kind === 'many' && !(isSingle && isTaken(member))) return Infinity;
    const rows = member.kind === 'many' ? Math.abs(member.page.take ?? 0) : isSingle ? 1 : take;
    return most + rows + mostLoaded({ isSingle: false, take: rows }, relatedMembers(member.selection));
  }, 0);
}
