import { takeOneMore } from '../../limits/limit-related.js';
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
 * Limits a page to one row more than `limits.maxTake`, unless the client has given `take`. Pages with `distinct` are not limited, because Prisma
 * removes duplicates in memory. The related lists of several rows are not limited in effect, because Prisma loads them by one statement.
 *
 * Rows without a key are ordered by their readable fields. They are not limited if none of these fields has an order.
 */
export function cutPage(
  resource: Resource,
  { model, order, page }: OrderedPage & { readonly model: StoredModel },
  { maxTake, storage }: Pick<ArgumentPath, 'maxTake' | 'storage'>,
): OrderedPage {
  if (page.take !== undefined || page.distinct !== undefined) return { order, page };
  const limited = orderLimited(resource, { model, order }, storage);
  return limited.length === 0 && !hasRowKey(model) ? { order, page } : { order: limited, page: { ...page, ...takeOneMore(maxTake) } };
}
