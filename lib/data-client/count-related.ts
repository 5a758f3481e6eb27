import type { RelatedRelation } from './plan.js';

/** The number of related rows in a row, at any depth. A row that occurs twice counts twice. */
export function countRelated(row: unknown, relations: readonly RelatedRelation[]): number {
  return relations.reduce((count, { name, relations: inner }) => {
    return relatedRows(row, name).reduce((sum: number, one) => sum + 1 + countRelated(one, inner), count);
  }, 0);
}

/** The length of the longest list in a row, at any depth. */
export function longestList(row: unknown, relations: readonly RelatedRelation[]): number {
  return relations.reduce((longest, { name, relations: inner }) => {
    const rows = relatedRows(row, name);
    return rows.reduce((most: number, one) => Math.max(most, longestList(one, inner)), Math.max(longest, rows.length));
  }, 0);
}

/** The rows that a row has in a relation: none, one or a list of them. */
export function relatedRows(row: unknown, name: string): readonly unknown[] {
  const value = (row as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return Array.isArray(value) ? value : value ? [value] : [];
}
