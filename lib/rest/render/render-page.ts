import type { Row } from '../../query/result.js';
import type { QueryParameter } from '../parse/resource-query.js';
import type { CursorPage, OffsetPage, Page, PageCursors, RowPage } from '../projection/page.js';
import type { DocumentMeta, PageLinks } from './document.js';

/** A URL and the parameters that came with it. */
interface RequestUrl {
  /** Without a query. */
  readonly url: string;
  readonly parameters: readonly QueryParameter[];
}

/** What a document shows of a page of a collection. */
export interface RenderedPage {
  readonly rows: readonly Row[];
  /** What is said of the collection; undefined where nothing is. */
  readonly meta: Pick<DocumentMeta, 'total' | 'page'> | undefined;
  /** Of a page between cursors: the one that falls on a row. */
  readonly cursorOf?: (row: Row) => string;
  /**
   * The links between the pages. Each keeps every other parameter, so that filter, sort, include and fields stay as they are, and pages have the
   * names that the client gave them.
   */
  readonly links: (at: RequestUrl) => PageLinks;
}

/**
 * Renders a page. Whether another one follows is told by the total or, without one, by the additional row that was loaded.
 *
 * @param isUsual whether the collection has pages of cursors where a request asks for none
 * @throws TypeError for a page between cursors whose rows were read without them
 */
export function renderPage(page: Page, found: RowPage, isUsual: boolean): RenderedPage {
  const { rows, total, cursors } = found;
  if (page.kind === 'cursor') {
    if (!cursors) throw new TypeError('A page between cursors was read without them.');
    const shown = { page, rows, cursors, isUsual };
    return { rows, meta: cursorMeta(found, shown), cursorOf: cursors.on, links: (at) => cursorLinks(shown, at) };
  }
  const { offset, limit } = page;
  const hasMore = total === undefined ? rows.length > limit : offset + limit < total;
  return {
    rows: rows.length > limit ? rows.slice(0, limit) : rows,
    meta: countMeta(found),
    links: (at) => offsetLinks(page, total, hasMore, at),
  };
}

/** The number of all, or how many there may be; undefined where neither is known. */
function countMeta({ total, estimate }: RowPage): RenderedPage['meta'] {
  if (total !== undefined) return { total };
  return estimate === undefined ? undefined : { page: { estimatedTotal: { bestGuess: estimate } } };
}

/** The same beside a page between cursors, whose profile has a place of its own for it (CP-12). */
function cursorMeta(found: RowPage, shown: CursorExtent): RenderedPage['meta'] {
  const { total } = found;
  const page = {
    ...(total !== undefined && { total }),
    ...countMeta(found)?.page,
    ...(isTruncated(shown) && ({ rangeTruncated: true } as const)),
  };
  if (Object.keys(page).length === 0) return undefined;
  return { ...(total !== undefined && { total }), page };
}

/** PG-01 to PG-03: none where pagination is off, and no `last` where the total is not counted. */
function offsetLinks(page: OffsetPage, total: number | undefined, hasMore: boolean, at: RequestUrl): PageLinks {
  const { offset, limit, numbered } = page;
  if (limit === Infinity) return {};
  const [place, size] = numbered ? NUMBERED : BY_OFFSET;
  const link = (to: number): string =>
    pageUrl(at, BY_PLACE, [
      [place, String(numbered ? to / limit + 1 : to)],
      [size, String(limit)],
    ]);
  // The last page of an empty collection is its first.
  const last = total === undefined ? undefined : Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const previous = Math.min(Math.max(0, offset - limit), last ?? Infinity);
  return {
    first: link(0),
    ...(last !== undefined && { last: link(last) }),
    prev: offset > 0 ? link(previous) : null,
    next: hasMore ? link(offset + limit) : null,
  };
}

const BY_OFFSET = ['page[offset]', 'page[limit]'] as const;
const NUMBERED = ['page[number]', 'page[size]'] as const;
const BY_PLACE: ReadonlySet<string> = new Set([...BY_OFFSET, ...NUMBERED]);

/** A page between cursors and its place in the collection. */
interface CursorExtent {
  readonly page: CursorPage;
  readonly rows: readonly Row[];
  readonly cursors: PageCursors;
  readonly isUsual: boolean;
}

/** Whether more lies between two cursors than the page shows (CP-09). */
function isTruncated({ page, cursors }: CursorExtent): boolean {
  return page.after !== undefined && page.before !== undefined && cursors.hasMore;
}

/**
 * CP-10, CP-11. Null is what is known: that nothing precedes, or nothing follows. Where it is not, the link may lead to an empty page, which leads
 * back (CP-16).
 */
function cursorLinks(shown: CursorExtent, at: RequestUrl): PageLinks {
  const { page, cursors, isUsual } = shown;
  const size: readonly QueryParameter[] = page.isSized ? [['page[size]', String(page.size)]] : [];
  const link = (key: 'after' | 'before', cursor: string): string => pageUrl(at, BY_CURSOR, [[`page[${key}]`, cursor], ...size]);
  const next = nextOf(shown);
  const previous = previousOf(shown);
  return {
    // Without any parameter, pages would be those by offset.
    first: isUsual || page.isSized ? pageUrl(at, BY_CURSOR, size) : link('after', cursors.start),
    last: link('before', cursors.end),
    prev: previous === undefined ? null : link('before', previous),
    next: next === undefined ? null : link('after', next),
  };
}

const BY_CURSOR: ReadonlySet<string> = new Set(['page[size]', 'page[after]', 'page[before]']);

/** The cursor that the next page begins after; undefined where nothing follows. */
function nextOf(shown: CursorExtent): string | undefined {
  const { page, rows, cursors } = shown;
  const last = rows.at(-1);
  // The page was read up to a cursor, and what is behind that was not asked for.
  const isOpen = page.before !== undefined && !isTruncated(shown);
  if (isOpen ? cursors.isAtEnd : !cursors.hasMore) return undefined;
  return last ? cursors.on(last) : (page.after?.text ?? cursors.start);
}

/** The cursor that the previous page ends before; undefined where nothing precedes. */
function previousOf({ page, rows: [first], cursors }: CursorExtent): string | undefined {
  const isBackward = page.before !== undefined && page.after === undefined;
  if (isBackward ? !cursors.hasMore : cursors.isAtStart) return undefined;
  return first ? cursors.on(first) : cursors.behindAfter;
}

function pageUrl({ url, parameters }: RequestUrl, replaced: ReadonlySet<string>, place: readonly QueryParameter[]): string {
  return queryUrl({ url, parameters: [...parameters.filter(([name]) => !replaced.has(name)), ...place] });
}

/** A URL with its query, percent-encoded (LK-09, QP-06). */
export function queryUrl({ url, parameters }: RequestUrl): string {
  if (parameters.length === 0) return url;
  return `${url}?${new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString()}`;
}
