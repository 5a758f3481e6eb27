import { type RelatedRows } from './plan.js';

/** How many rows came along with a row, at any depth; one that is reached twice counts twice. */
export function countRelated(row: unknown, related: RelatedRows): number {
  return Object.entries(related).reduce((count, [name, inner]) => {
    const value = (row as Readonly<Record<string, unknown>>)[name];
    const rows = Array.isArray(value) ? value : value ? [value] : [];
    return rows.reduce((sum: number, one) => sum + 1 + countRelated(one, inner), count);
  }, 0);
}
