import type { OffsetPage } from '../projection/page.js';
import type { QueryParameter } from '../parse/resource-query.js';
import type { PageLinks } from './document.js';
import type { PageExtent } from './measure-page.js';

/** A URL and the parameters that came with it. */
export interface RequestUrl {
  /** Without a query. */
  readonly url: string;
  readonly parameters: readonly QueryParameter[];
}

/**
 * The links between the pages of a collection (PG-01 to PG-03). Each keeps every other parameter, so that filter, sort, include and fields
 * stay as they are, and pages have the names that the client gave them.
 *
 * @returns none where pagination is off; no `last` where the total is not counted
 */
export function renderPageLinks({ page, total, hasMore }: PageExtent, at: RequestUrl): PageLinks {
  const { offset, limit } = page;
  if (limit === Infinity) return {};
  const link = (to: number): string => pageUrl(at, { ...page, offset: to });
  const last = total === undefined ? undefined : lastOffset(total, limit);
  const previous = Math.min(Math.max(0, offset - limit), last ?? Infinity);
  return {
    first: link(0),
    ...(last !== undefined && { last: link(last) }),
    prev: offset > 0 ? link(previous) : null,
    next: hasMore ? link(offset + limit) : null,
  };
}

/** A URL with its query, percent-encoded (LK-09, QP-06). */
export function queryUrl({ url, parameters }: RequestUrl): string {
  if (parameters.length === 0) return url;
  return `${url}?${new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString()}`;
}

/** The last page of an empty collection is its first. */
function lastOffset(total: number, limit: number): number {
  return Math.max(0, Math.ceil(total / limit) - 1) * limit;
}

function pageUrl({ url, parameters }: RequestUrl, page: OffsetPage): string {
  const others = parameters.filter(([name]) => !PAGE_NAMES.has(name));
  return queryUrl({ url, parameters: [...others, ...pageParameters(page)] });
}

function pageParameters({ offset, limit, numbered }: OffsetPage): readonly QueryParameter[] {
  const [place, size] = numbered ? NUMBERED : BY_OFFSET;
  return [
    [place, String(numbered ? offset / limit + 1 : offset)],
    [size, String(limit)],
  ];
}

const BY_OFFSET = ['page[offset]', 'page[limit]'] as const;
const NUMBERED = ['page[number]', 'page[size]'] as const;
const PAGE_NAMES: ReadonlySet<string> = new Set([...BY_OFFSET, ...NUMBERED]);
