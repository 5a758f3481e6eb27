import { type Row, rowsOf } from '../../query/result.js';
import { type RelatedMember, relatedMembers, type Selection } from '../../query/selection.js';

/** Counts the related rows in a row, at any depth. A row that occurs twice counts twice. */
function countRelatedRows(row: Row, selection: Selection): number {
  let count = 0;
  for (const member of relatedMembers(selection)) {
    for (const one of relatedRows(row, member)) count += 1 + countRelatedRows(one, member.selection);
  }
  return count;
}

/** Counts the related rows in several rows, at any depth. */
export function countAllRelated(rows: readonly Row[], selection: Selection): number {
  return rows.reduce((sum, row) => sum + countRelatedRows(row, selection), 0);
}

/** Returns the length of the longest list in a row, at any depth. */
export function longestList(row: Row, selection: Selection): number {
  let longest = 0;
  for (const member of relatedMembers(selection)) {
    const rows = relatedRows(row, member);
    longest = rows.reduce((most, one) => Math.max(most, longestList(one, member.selection)), Math.max(longest, rows.length));
  }
  return longest;
}

/** Returns the rows that a row has in a relation: none, one or a list of them. */
export function relatedRows(row: Row, { relation }: RelatedMember): readonly Row[] {
  return rowsOf(row[relation.name]);
}
