import type { Page, QueryParameter } from '../parse/resource-query.js';
import type { DocumentLinks } from './document.js';
import type { PageExtent } from './measure-page.js';

/** A URL and the parameters that came with it. */
export interface RequestUrl {
  /** Without a query. */
  readonly url: string;
  readonly parameters: readonly QueryParameter[];
}

/**
 * The links between the pages of a collection (PG-01 to PG-03). Each keeps every other parameter, so that filter, sort, include and fields
 * stay as they are.
 *
 * @returns none where pagination is off; no `last` where the total is not counted
 */
export function renderPageLinks({ page, total, hasMore }: PageExtent, at: RequestUrl): Partial<DocumentLinks> {
  const { offset, limit } = page;
  if (limit === Infinity) return {};
  const link = (to: number): string => pageUrl(at, { offset: to, limit });
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

function pageUrl({ url, parameters }: RequestUrl, { offset, limit }: Page): string {
  const others = parameters.filter(([name]) => name !== 'page[offset]' && name !== 'page[limit]');
  return queryUrl({ url, parameters: [...others, ['page[offset]', String(offset)], ['page[limit]', String(limit)]] });
}
