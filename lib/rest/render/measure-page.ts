import { ApiError } from '../../errors/api-error.js';
import type { OffsetPage } from '../projection/page.js';
import type { RestContext } from '../parse/rest-context.js';
import type { Row, RowPage } from '../projection/row.js';

/** A page and its place in the collection. */
export interface PageExtent {
  readonly page: OffsetPage;
  readonly rows: readonly Row[];
  /** Absent if it is not counted. */
  readonly total: number | undefined;
  /** How many rows there may be, where they were too many to count. */
  readonly estimate?: number;
  /** Whether rows follow the page. */
  readonly hasMore: boolean;
}

/**
 * Finds out whether another page follows: by the total or, without one, by the additional row that was loaded.
 *
 * @throws ApiError `limit-exceeded` if a collection without pages has more rows than `limits.maxTake`
 */
export function measurePage(page: OffsetPage, { rows, total, estimate }: RowPage, { settings, limits }: RestContext): PageExtent {
  const { offset, limit } = page;
  if (limit === Infinity) {
    if (rows.length > limits.maxTake)
      throw new ApiError('limit-exceeded', `An answer holds at most ${limits.maxTake} resources (limits.maxTake).`);
    return { page, rows, total: total ?? (settings.count === 'none' ? undefined : rows.length), hasMore: false };
  }
  const hasMore = total === undefined ? rows.length > limit : offset + limit < total;
  return { page, rows: rows.length > limit ? rows.slice(0, limit) : rows, total, ...(estimate !== undefined && { estimate }), hasMore };
}
