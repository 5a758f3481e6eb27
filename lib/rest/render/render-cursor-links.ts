import type { CursorPage } from '../projection/page.js';
import type { QueryParameter } from '../parse/resource-query.js';
import type { PageCursors, Row, RowPage } from '../projection/row.js';
import type { PageLinks } from './document.js';
import { queryUrl, type RequestUrl } from './render-page-links.js';

/** A page between cursors and its place in the collection. */
export interface CursorExtent {
  readonly page: CursorPage;
  /** That it shows. */
  readonly rows: readonly Row[];
  readonly cursors: PageCursors;
  /** Whether the collection has pages of cursors where a request asks for none. */
  readonly isUsual: boolean;
}

/** @throws TypeError for rows that were read without their cursors */
export function extentOf(page: CursorPage, { rows, cursors }: Pick<RowPage, 'rows' | 'cursors'>, isUsual: boolean): CursorExtent {
  if (!cursors) throw new TypeError('A page between cursors was read without them.');
  return { page, rows, cursors, isUsual };
}

/** Whether more lies between two cursors than the page shows (CP-09). */
export function isTruncated({ page, cursors }: CursorExtent): boolean {
  return page.after !== undefined && page.before !== undefined && cursors.hasMore;
}

/**
 * The links between the pages of a collection (CP-10, CP-11). Null is what is known: that nothing precedes, or nothing follows. Where it is not, the
 * link may lead to an empty page, which leads back (CP-16).
 */
export function renderCursorLinks(extent: CursorExtent, at: RequestUrl): PageLinks {
  const { page, cursors, isUsual } = extent;
  const link = (key: 'after' | 'before', cursor: string): string => cursorUrl(at, page, [[`page[${key}]`, cursor]]);
  const next = nextOf(extent);
  const previous = previousOf(extent);
  return {
    // Without any parameter, pages would be those by offset.
    first: isUsual || page.isSized ? cursorUrl(at, page, []) : link('after', cursors.start),
    last: link('before', cursors.end),
    prev: previous === undefined ? null : link('before', previous),
    next: next === undefined ? null : link('after', next),
  };
}

/** The cursor that the next page begins after; undefined where nothing follows. */
function nextOf(extent: CursorExtent): string | undefined {
  const { page, rows, cursors } = extent;
  const last = rows.at(-1);
  // The page was read up to a cursor, and what is behind that was not asked for.
  const isOpen = page.before !== undefined && !isTruncated(extent);
  if (isOpen ? cursors.isAtEnd : !cursors.hasMore) return undefined;
  return last ? cursors.on(last) : (page.after?.text ?? cursors.start);
}

/** The cursor that the previous page ends before; undefined where nothing precedes. */
function previousOf({ page, rows: [first], cursors }: CursorExtent): string | undefined {
  const isBackward = page.before !== undefined && page.after === undefined;
  if (isBackward ? !cursors.hasMore : cursors.isAtStart) return undefined;
  return first ? cursors.on(first) : cursors.behindAfter;
}

function cursorUrl({ url, parameters }: RequestUrl, { isSized, size }: CursorPage, cursors: readonly QueryParameter[]): string {
  const others = parameters.filter(([name]) => !PAGE_NAMES.has(name));
  return queryUrl({ url, parameters: [...others, ...cursors, ...(isSized ? [['page[size]', String(size)] as const] : [])] });
}

const PAGE_NAMES: ReadonlySet<string> = new Set(['page[size]', 'page[after]', 'page[before]']);
