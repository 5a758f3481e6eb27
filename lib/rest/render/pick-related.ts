import { type RelationshipTarget } from '../parse/parse-target.js';
import { pickResource } from './pick-resource.js';
import { type Row, type RowPage } from './row.js';

/**
 * Takes what a relationship leads to out of the row that has it, as `planRelated` asked for it.
 *
 * @throws ApiError `not-found` when there is no such row; an empty relationship is a page without rows (FE-04, FE-06)
 */
export function pickRelated(parent: unknown, target: RelationshipTarget): RowPage {
  const row = pickResource(parent, target);
  const { name, many } = target.relationship;
  const related = row[name] as readonly Row[] | Row | null;
  const counts = row['_count'] as Readonly<Record<string, number>> | undefined;
  if (many) return { rows: related as readonly Row[], total: counts?.[name] };
  return { rows: related === null ? [] : [related as Row] };
}
