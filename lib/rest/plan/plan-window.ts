import { upTo } from '../../cost/up-to.js';
import type { Limits } from '../../model/limits.js';
import { ALWAYS, and } from '../../query/condition.js';
import { withoutRepeats } from '../../query/order.js';
import type { AskedWindow } from '../parse/parse-windows.js';
import { keyOrder } from '../projection/key-order.js';
import type { OffsetPage } from '../projection/page.js';
import type { Row } from '../projection/row.js';
import type { PlannedWindow, PlanWindow } from '../projection/window.js';
import { type CursorContext, planCursorPage } from './plan-cursor-page.js';
import { planFilter } from './plan-filter.js';
import { planOrder } from './plan-order.js';
import { requireSearches } from './require-queries.js';

export interface WindowContext extends CursorContext {
  readonly limits: Pick<Limits, 'maxTake'>;
}

/** Plans windows: their filter, sort and page as nodes. */
export function windowPlanner(context: WindowContext): PlanWindow {
  const { storage } = context.model;
  return ({ asked, ...window }, { target: resource }, selection) => {
    // The parser's own, which projections do not look into.
    const { filter: given, sort, filterParameter, sortParameter } = asked as AskedWindow;
    if (given) requireSearches(given, storage, () => filterParameter);
    const filter = given ? planFilter(given, storage) : ALWAYS;
    const order = planOrder(sort, storage);
    const { page, isCounted } = window;
    if (page.kind === 'cursor') {
      const { where, take, read, ...rows } = planCursorPage(page, { resource, order, selection, sortParameter }, context);
      const limited = Math.min(take, context.limits.maxTake + 1);
      return {
        ...window,
        filter,
        rows: { ...rows, where: and(filter, where), page: { take: limited }, isWindow: true },
        read: onceEach(read),
      };
    }
    const rows = {
      where: filter,
      order: withoutRepeats([...order, ...keyOrder(resource, storage)]),
      page: pageOf(page, isCounted, context.limits),
      selection,
      ...(Number.isFinite(page.limit) && { isWindow: true }),
    };
    return { ...window, filter, rows, read: (found) => ({ rows: found.length > page.limit ? found.slice(0, page.limit) : found }) };
  };
}

/** One row too many where only that can tell whether there are more. */
function pageOf({ offset, limit }: OffsetPage, isCounted: boolean, { maxTake }: WindowContext['limits']): PlannedWindow['rows']['page'] {
  return { ...(offset > 0 && { skip: offset }), ...upTo(Math.min(isCounted ? limit - 1 : limit, maxTake)) };
}

/** The links, the linkage and what is included ask for the same rows, whose cursors are dear. */
function onceEach(read: PlannedWindow['read']): PlannedWindow['read'] {
  const known = new WeakMap<readonly Row[], ReturnType<typeof read>>();
  return (rows) => {
    let shown = known.get(rows);
    if (!shown) known.set(rows, (shown = read(rows)));
    return shown;
  };
}
