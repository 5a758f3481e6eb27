import type { RowPage } from '../projection/row.js';
import type { DocumentMeta } from './document.js';
import { type CursorExtent, isTruncated } from './render-cursor-links.js';

/** What is said of a collection beside a page of it. */
export type PagedMeta = Pick<DocumentMeta, 'total' | 'page'>;

/** The number of all, or how many there may be; undefined where neither is known. */
export function countMeta({ total, estimate }: Pick<RowPage, 'total' | 'estimate'>): PagedMeta | undefined {
  if (total !== undefined) return { total };
  return estimate === undefined ? undefined : { page: { estimatedTotal: { bestGuess: estimate } } };
}

/** The same beside a page between cursors, whose profile has a place of its own for it (CP-12). */
export function cursorMeta(found: Pick<RowPage, 'total' | 'estimate'>, extent: CursorExtent): PagedMeta | undefined {
  const { total } = found;
  const page = {
    ...(total !== undefined && { total }),
    ...countMeta(found)?.page,
    ...(isTruncated(extent) && ({ rangeTruncated: true } as const)),
  };
  if (Object.keys(page).length === 0) return undefined;
  return { ...(total !== undefined && { total }), page };
}
