import { upTo } from '../../limits/up-to.js';
import type { Resource } from '../../model/surface/surface.js';
import type { StoredModel } from '../../model/storage/storage.js';
import { hasRowKey } from '../../query/key.js';
import type { Order } from '../../query/order.js';
import type { Page } from '../../query/selection.js';
import type { ArgumentPath } from './argument-path.js';
import { orderLimited } from './order-page.js';

interface OrderedPage {
  readonly order: Order;
  readonly page: Page;
}

/**
 * Has the database stop at one row more than `limits.maxTake`, where the client has not said how many it wants. Distinct rows are counted
 * only, for Prisma finds them in memory; and so are in effect the lists of several rows, which it loads by one statement without a limit.
 *
 * Rows without a key are ordered by what the client may read of them, and are not limited where that has no order.
 */
export function cutPage(
  resource: Resource,
  { model, order, page }: OrderedPage & { readonly model: StoredModel },
  { maxTake, storage }: Pick<ArgumentPath, 'maxTake' | 'storage'>,
): OrderedPage {
  if (page.take !== undefined || page.distinct !== undefined) return { order, page };
  const limited = orderLimited(resource, { model, order }, storage);
  return limited.length === 0 && !hasRowKey(model) ? { order, page } : { order: limited, page: { ...page, ...upTo(maxTake) } };
}
