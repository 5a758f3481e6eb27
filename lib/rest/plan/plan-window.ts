import type { Storage } from '../../model/storage/storage.js';
import { ALWAYS } from '../../query/condition.js';
import type { AskedWindow } from '../parse/parse-windows.js';
import type { PlanWindow } from '../projection/window.js';
import { planFilter } from './plan-filter.js';
import { planOrder } from './plan-order.js';
import { requireSearches } from './require-queries.js';

/** Plans windows: their filter and sort as nodes. */
export function windowPlanner(storage: Storage): PlanWindow {
  return ({ asked }) => {
    // The parser's own, which projections do not look into.
    const { filter, sort, parameter } = asked as AskedWindow;
    if (filter) requireSearches(filter, storage, () => parameter);
    return { where: filter ? planFilter(filter, storage) : ALWAYS, order: planOrder(sort, storage) };
  };
}
