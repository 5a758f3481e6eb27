import { upTo } from '../../cost/up-to.js';
import type { Page } from '../../query/selection.js';

/**
 * Has the database stop at one row more than `limits.maxTake`, where the client has not said how many it wants. Distinct rows are counted
 * only, for Prisma finds them in memory; and so are in effect the lists of several rows, which it loads by one statement without a limit.
 */
export function cutPage(page: Page, maxTake: number): Page {
  return page.take === undefined && page.distinct === undefined ? { ...page, ...upTo(maxTake) } : page;
}
