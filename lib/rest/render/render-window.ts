import { RELATED_COUNT } from '../../query/selection.js';
import type { ProjectedRelationship } from '../projection/projection.js';
import type { Row } from '../projection/row.js';
import type { Window } from '../projection/window.js';
import type { RelationshipObject } from './document.js';
import { renderPageLinks } from './render-page-links.js';
import { relationshipUrls } from './resource-urls.js';

/** The rows that a relationship shows of those that were read. */
export function shownRows(row: Row, { relationship, window }: ProjectedRelationship): readonly Row[] {
  const rows = (row[relationship.name] ?? []) as readonly Row[];
  return window && rows.length > window.page.limit ? rows.slice(0, window.page.limit) : rows;
}

/**
 * What stands beside the linkage of a relationship that is shown in part: links that page the linkage, so that they lead to the relationship's
 * own URL (PI-04), the total, and that it is not whole (PI-07).
 *
 * @param self URL of the resource that has it
 */
export function renderWindow(
  row: Row,
  window: Window,
  { relationship }: ProjectedRelationship,
  self: string,
): Omit<RelationshipObject, 'data'> {
  const { name, member } = relationship;
  const { page, isCounted, isFiltered, parameters } = window;
  const rows = (row[name] ?? []) as readonly Row[];
  const total = isCounted ? (row[RELATED_COUNT] as Readonly<Record<string, number>> | undefined)?.[name] : undefined;
  const hasMore = total === undefined ? rows.length > page.limit : page.offset + page.limit < total;
  const urls = relationshipUrls(self, encodeURIComponent(member));
  const pages = renderPageLinks({ page, rows, total, hasMore }, { url: urls.self, parameters });
  const isPartial = isFiltered || hasMore || page.offset > 0;
  const meta = { ...(total !== undefined && { total }), ...(isPartial && ({ partial: true } as const)) };
  return { links: { ...urls, ...pages }, ...(Object.keys(meta).length > 0 && { meta }) };
}
