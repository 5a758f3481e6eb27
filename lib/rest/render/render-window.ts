import { RELATED_COUNT } from '../../query/selection.js';
import type { ProjectedRelationship } from '../projection/projection.js';
import type { Row, RowPage } from '../projection/row.js';
import type { PlannedWindow } from '../projection/window.js';
import type { PageLinks, RelationshipObject } from './document.js';
import { countMeta, cursorMeta, type PagedMeta } from './page-meta.js';
import { extentOf, renderCursorLinks } from './render-cursor-links.js';
import { renderPageLinks, type RequestUrl } from './render-page-links.js';
import { relationshipUrls } from './resource-urls.js';

/** The rows that a to-many relationship shows of those that were read, and their cursors where they are a page between cursors. */
export function shownRows(row: Row, { relationship, window }: ProjectedRelationship): Pick<RowPage, 'rows' | 'cursors'> {
  const rows = relatedRows(row, relationship.name);
  return window ? window.read(rows) : { rows };
}

/**
 * What stands beside the linkage of a relationship that is shown in part: links that page the linkage, so that they lead to the relationship's
 * own URL (PI-04), the total, and that it is not whole (PI-07).
 *
 * @param self URL of the resource that has it
 */
export function renderWindow(
  row: Row,
  window: PlannedWindow,
  { relationship }: ProjectedRelationship,
  self: string,
): Omit<RelationshipObject, 'data'> {
  const { name, member, target } = relationship;
  const total = window.isCounted ? (row[RELATED_COUNT] as Readonly<Record<string, number>> | undefined)?.[name] : undefined;
  const urls = relationshipUrls(self, encodeURIComponent(member));
  const shown = { found: relatedRows(row, name), total, isUsual: target.pagination === 'cursor' };
  const { links, counts } = pageOf(window, shown, { url: urls.self, parameters: window.parameters });
  const isPartial = window.isFiltered || typeof links.prev === 'string' || typeof links.next === 'string';
  const meta = { ...counts, ...(isPartial && ({ partial: true } as const)) };
  return { links: { ...urls, ...links }, ...(Object.keys(meta).length > 0 && { meta }) };
}

interface ShownPage {
  /** The rows as they were read. */
  readonly found: readonly Row[];
  readonly total: number | undefined;
  /** Whether the relationship has pages of cursors where a request asks for none. */
  readonly isUsual: boolean;
}

interface PageParts {
  readonly links: PageLinks;
  readonly counts: PagedMeta | undefined;
}

function pageOf({ page, read }: PlannedWindow, { found, total, isUsual }: ShownPage, at: RequestUrl): PageParts {
  const shown = read(found);
  if (page.kind === 'cursor') {
    const extent = extentOf(page, shown, isUsual);
    return { links: renderCursorLinks(extent, at), counts: cursorMeta({ total }, extent) };
  }
  const hasMore = total === undefined ? found.length > page.limit : page.offset + page.limit < total;
  return { links: renderPageLinks({ page, rows: shown.rows, total, hasMore }, at), counts: countMeta({ total }) };
}

/** The same array each time: what is read of it is remembered by it. */
function relatedRows(row: Row, name: string): readonly Row[] {
  return (row[name] ?? NONE) as readonly Row[];
}

const NONE: readonly Row[] = [];
