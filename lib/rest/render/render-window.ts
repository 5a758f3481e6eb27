import { relatedCount, relatedRows, type Row } from '../../query/result.js';
import type { PlannedWindow, RowPage } from '../projection/page.js';
import type { ProjectedRelationship } from '../projection/projection.js';
import type { WindowMembers } from './document.js';
import { renderPage } from './render-page.js';
import { relationshipUrls } from './resource-urls.js';

/** Returns the related rows that a to-many relationship contains, with their cursors if they are a page between cursors. */
export function shownRows(row: Row, { relationship, window }: ProjectedRelationship): Pick<RowPage, 'rows' | 'cursors'> {
  const rows = relatedRows(row, relationship.name);
  return window ? window.read(rows) : { rows };
}

/**
 * Returns the members beside `data` of a relationship whose linkage is filtered, sorted or paged.
 *
 * These are links that page the linkage at the relationship's URL (PI-04), the total, and `meta.partial` if the linkage is incomplete
 * (PI-07).
 *
 * @param self URL of the resource that has the relationship
 */
export function renderWindow(
  row: Row,
  { page, read, isCounted, isFiltered, parameters }: PlannedWindow,
  { relationship }: ProjectedRelationship,
  self: string,
): WindowMembers {
  const { name, member, target } = relationship;
  const rows = relatedRows(row, name);
  const found = { ...(page.kind === 'cursor' ? read(rows) : { rows }), total: isCounted ? relatedCount(row, name) : undefined };
  const shown = renderPage(page, found, target.pagination === 'cursor');
  const urls = relationshipUrls(self, encodeURIComponent(member));
  const links = shown.links({ url: urls.self, parameters });
  const isPartial = isFiltered || typeof links.prev === 'string' || typeof links.next === 'string';
  const meta = { ...shown.meta, ...(isPartial && ({ partial: true } as const)) };
  return { links: { ...urls, ...links }, ...(Object.keys(meta).length > 0 && { meta }) };
}
