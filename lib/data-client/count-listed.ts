import { type RelatedRows } from './plan.js';

/**
 * How many rows came along with a row in its lists, at any depth; one that is reached twice counts twice. A row that another refers to is
 * no list, but may have some.
 */
export function countListed(row: unknown, related: RelatedRows): number {
  return Object.entries(related).reduce((count, [name, inner]) => {
    const value = (row as Readonly<Record<string, unknown>> | null)?.[name];
    if (!Array.isArray(value)) return count + countListed(value, inner);
    return value.reduce((sum: number, one) => sum + countListed(one, inner), count + value.length);
  }, 0);
}
