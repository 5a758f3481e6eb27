import type { RelationshipTarget } from '../parse/parse-target.js';
import { hasOwnLinkage, type ResourceQuery } from '../parse/resource-query.js';
import { foreignKeyReader } from '../projection/key-reader.js';
import type { Row, RowPage } from '../projection/row.js';
import { pickResource } from './pick-resource.js';

/**
 * Returns the related rows in the row of a resource, as `planRelated` selects them.
 *
 * @throws ApiError `not-found` when there is no such row; an empty relationship is a page without rows (FE-04, FE-06)
 */
export function pickRelated(parent: unknown, query: ResourceQuery<RelationshipTarget>): RowPage {
  const row = pickResource(parent, query.target);
  const { relationship } = query.target;
  const { name, many } = relationship;
  if (many) {
    const counts = row['_count'] as Readonly<Record<string, number>> | undefined;
    return { rows: (row[name] ?? []) as readonly Row[], total: counts?.[name] };
  }
  const related = hasOwnLinkage(query) ? foreignKeyReader(relationship)(row) : (row[name] as Row | null);
  return { rows: related ? [related] : [] };
}
