import type { Row } from '../../query/result.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import type { QueryParameter } from '../parse/resource-query.js';
import type { CursorPage, OffsetPage, RequestedPage, PageCursors, RowPage } from '../projection/page.js';
import type { DocumentMeta, PageLinks } from './document.js';

/** A URL and the query parameters of its request. */
interface RequestUrl {
  /** Without its query string. */
  readonly url: string;
  readonly parameters: readonly QueryParameter[];
}

/** The rows, `meta` and links of a page of a collection. */
export interface RenderedPage {
  readonly rows: readonly Row[];
  /** The total or the estimate of the collection; undefined if there is neither. */
  readonly meta: Pick<DocumentMeta, 'total' | 'page'> | undefined;
  /** Returns the cursor of a row, on a page between cursors. */
  readonly cursorOf?: (row: Row) => string;
  /** Returns the links to other pages. Each keeps all other parameters (filter, sort, include, fields), and uses the client's page parameters. */
  readonly links: (at: RequestUrl) => PageLinks;
}

/**
 * Renders a page. The total determines whether another page follows; without a total, the additional row that was read does.
 *
 * @param isUsual whether the resource has cursor pages by default
 * @throws TypeError for a page between cursors whose rows were read without cursors
 */
export function renderPage(page: RequestedPage, found: RowPage, isUsual: boolean): RenderedPage {
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

/** Returns `meta` with the total or its estimate; undefined if there is neither. */
function countMeta({ total, estimate }: RowPage): RenderedPage['meta'] {
  if (total !== undefined) return { total };
  return estimate === undefined ? undefined : { page: { estimatedTotal: { bestGuess: estimate } } };
}

/** Returns `meta` of a page between cursors. The profile defines `meta.page.total`, so the total is there as well (CP-12). */
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

/** Returns the links of an offset page (PG-01 to PG-03): none if pagination is off, and no `last` without a total. */
function offsetLinks(page: OffsetPage, total: number | undefined, hasMore: boolean, at: RequestUrl): PageLinks {
  const { offset, limit, numbered } = page;
  if (limit === Infinity) return {};
  const [place, size] = numbered ? NUMBERED : BY_OFFSET;
  const others = othersOfOffset(at.parameters);
  const end = `&${encodeURIComponent(size)}=${limit}`;
  const link = (to: number): string => withQuery(at.url, others, `${encodeURIComponent(place)}=${numbered ? to / limit + 1 : to}${end}`);
  // For an empty collection, the last page is the first one.
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

/** Encodes the parameters beside those of an offset page. The text is cached with the parsed query, because each link contains it. */
const othersOfOffset = memoizeByObject((parameters: readonly QueryParameter[]) => encodeOthers(parameters, BY_PLACE));

/** A page between cursors, with its rows and cursors. */
interface CursorExtent {
  readonly page: CursorPage;
  readonly rows: readonly Row[];
  readonly cursors: PageCursors;
  readonly isUsual: boolean;
}

/** Whether the range between two cursors holds more rows than the page (CP-09). */
function isTruncated({ page, cursors }: CursorExtent): boolean {
  return page.after !== undefined && page.before !== undefined && cursors.hasMore;
}

/**
 * Returns the links of a page between cursors (CP-10, CP-11). Null means that certainly no row precedes or follows. Otherwise the link may
 * lead to an empty page, which links back (CP-16).
 */
function cursorLinks(shown: CursorExtent, at: RequestUrl): PageLinks {
  const { page, cursors, isUsual } = shown;
  const size: readonly QueryParameter[] = page.isSized ? [['page[size]', String(page.size)]] : [];
  const others = othersOfCursor(at.parameters);
  const link = (key: 'after' | 'before', cursor: string): string => withQuery(at.url, others, encode([[`page[${key}]`, cursor], ...size]));
  const next = nextOf(shown);
  const previous = previousOf(shown);
  return {
    // Without page parameters, this URL would return an offset page.
    first: isUsual || page.isSized ? withQuery(at.url, others, encode(size)) : link('after', cursors.start),
    last: link('before', cursors.end),
    prev: previous === undefined ? null : link('before', previous),
    next: next === undefined ? null : link('after', next),
  };
}

const BY_CURSOR: ReadonlySet<string> = new Set(['page[size]', 'page[after]', 'page[before]']);

/** Encodes the parameters beside those of a page between cursors, as {@link othersOfOffset}. */
const othersOfCursor = memoizeByObject((parameters: readonly QueryParameter[]) => encodeOthers(parameters, BY_CURSOR));

/** Returns the cursor that the next page begins after; undefined if no row follows. */
function nextOf(shown: CursorExtent): string | undefined {
  const { page, rows, cursors } = shown;
  const last = rows.at(-1);
  // Rows behind `before` were not read, so `hasMore` does not cover them.
  const isOpen = page.before !== undefined && !isTruncated(shown);
  if (isOpen ? cursors.isAtEnd : !cursors.hasMore) return undefined;
  return last ? cursors.on(last) : (page.after?.text ?? cursors.start);
}

/** Returns the cursor that the previous page ends before; undefined if no row precedes. */
function previousOf({ page, rows: [first], cursors }: CursorExtent): string | undefined {
  const isBackward = page.before !== undefined && page.after === undefined;
  if (isBackward ? !cursors.hasMore : cursors.isAtStart) return undefined;
  return first ? cursors.on(first) : cursors.behindAfter;
}

/** Returns a URL with its query string, percent-encoded (LK-09, QP-06). */
export function queryUrl({ url, parameters }: RequestUrl): string {
  return withQuery(url, encodeAll(parameters), '');
}

/** The encoded parameters, cached with the parsed query. */
const encodeAll = memoizeByObject(encode);

function encode(parameters: readonly QueryParameter[]): string {
  return new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString();
}

function encodeOthers(parameters: readonly QueryParameter[], left: ReadonlySet<string>): string {
  return encode(parameters.filter(([name]) => !left.has(name)));
}

/** Returns a URL with two parts of a query string, either of which may be empty. */
function withQuery(url: string, first: string, second: string): string {
  const query = first === '' || second === '' ? first + second : `${first}&${second}`;
  return query === '' ? url : `${url}?${query}`;
}
