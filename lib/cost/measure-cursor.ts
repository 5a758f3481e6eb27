import type { StoredModel } from '../model/storage/storage.js';
import { isTotal, type Order } from '../query/order.js';
import type { Page } from '../query/selection.js';
import { WEIGHTS } from './cost.js';
import type { Meter } from './meter.js';

/** Rows of a model in an order. */
export interface OrderedRows {
  readonly model: StoredModel;
  readonly order: Order;
  readonly page: Page;
}

/** Measures the cursor that a page of a model's rows begins at. That of a list of related rows reads no more than the list, whose rows are limited. */
export function measureCursor({ model, order, page }: OrderedRows, meter: Meter): void {
  if (page.cursor) meter.terms(isTotal(order, model) ? WEIGHTS.cursor : WEIGHTS.rest);
}
