import type { Relationship } from '../../model/surface/surface.js';
import { relatedRow, type Row } from '../../query/result.js';

/** Takes the field values of the one related resource's id from a row: null where there is none, undefined where the row does not tell. */
export type KeyReader = (row: Row) => Row | null | undefined;

/** Reads the id of what a relationship leads to from the row's own foreign key. */
export function foreignKeyReader(relationship: Relationship): KeyReader {
  const key = relationship.linkageKey;
  const pairs = (key?.fields ?? []).map((field, index) => [field, key?.references[index] ?? ''] as const);
  return (row) => {
    const values: Record<string, unknown> = {};
    for (const [field, reference] of pairs) {
      const value = row[field];
      if (value === null || value === undefined) return value;
      values[reference] = value;
    }
    return values;
  };
}

/** Reads it from the related row. */
export function relatedReader({ name }: Relationship): KeyReader {
  return (row) => relatedRow(row, name);
}

/** A to-many relationship leads to no one resource. */
export const NO_KEY: KeyReader = () => undefined;
