import type { CallCost } from '../../limits/cost.js';
import { measureCost } from '../../limits/measure-cost.js';
import { takeOneMore } from '../../limits/limit-related.js';
import type { Limits } from '../../model/limits.js';
import type { Storage } from '../../model/storage/storage.js';
import { storedField, storedHop } from '../../model/storage/stored-model.js';
import { ALWAYS, and, type Condition } from '../../query/condition.js';
import { type Order, type OrderPlace, withoutRepeats } from '../../query/order.js';
import { type Find, findMany } from '../../query/read.js';
import type { Row } from '../../query/result.js';
import type { Page as Part } from '../../query/selection.js';
import type { RequestedWindow } from '../parse/parse-windows.js';
import type { CollectionQuery, SortKey } from '../parse/resource-query.js';
import type { RequestedPage, PlannedWindow, PlanWindow } from '../projection/page.js';
import { keyOrder } from '../projection/select-projection.js';
import type { PlanContext } from './plan-context.js';
import { type CursorContext, type OrderedRows, planCursorPage } from './plan-cursor-page.js';
import { planFilter, requireSearches } from './plan-filter.js';
import { requireAffordable } from './require-affordable.js';

/** The query of a page, and the reader of its rows. */
interface PlannedRows extends Pick<PlannedWindow, 'read'> {
  readonly rows: Pick<Find, 'where' | 'order' | 'page' | 'selection'>;
}

/** The query of a page of a collection, and the filter that its total counts. */
export interface PlannedPage extends PlannedRows {
  readonly filter: Condition;
}

/**
 * Plans a page of a collection.
 *
 * @param way the cost of reading the row that has the relationship; absent for a top-level collection
 * @throws ApiError `limit-exceeded` for a request that costs too much, and errors of the order, the cursors and the filter
 */
export function planPage(query: CollectionQuery, context: PlanContext, way?: CallCost): PlannedPage {
  const { filter: requested, sort, page, resource, projection, parameters } = query;
  const { storage } = context.model;
  const { selection } = projection;
  const filter = requested ? planFilter(requested, storage) : ALWAYS;
  const order = planOrder(sort, storage, { parameter: 'sort' });
  const cost = measureCost(findMany({ model: selection.model, where: filter, order, selection }));
  requireAffordable(way ? [cost, way] : [cost], context.limits, parameters);
  if (requested) requireSearches(requested, storage, () => parameters.map(([name]) => name).find((name) => SEARCH.test(name)) ?? 'filter');
  return { filter, ...planRows(page, filter, { resource, order, selection }, { take: planTake(page, context), context }) };
}

/** Matches the three ways to write the operator `$search`. */
const SEARCH = /^filter\[.+(?:\$|\]\[)search\]$/;

/**
 * Returns the number of rows to read: one more where no exact total shows whether more rows exist. This is so between cursors, without a total, and
 * without pages.
 */
function planTake(page: RequestedPage, { settings, limits }: PlanContext): Pick<Part, 'take'> {
  if (page.kind === 'cursor') return takeOneMore(page.size);
  if (page.limit === Infinity) return takeOneMore(limits.maxTake);
  return settings.count === 'exact' ? { take: page.limit } : takeOneMore(page.limit);
}

interface WindowContext extends CursorContext {
  readonly limits: Pick<Limits, 'maxTake'>;
}

/** Returns a planner of windows, which compiles their filter, sort and page into nodes. */
export function windowPlanner(context: WindowContext): PlanWindow {
  const { storage } = context.model;
  return ({ requested, ...window }, { target: resource }, selection) => {
    // `as`: projections pass the window on as the parser has created it.
    const { filter: given, sort, filterParameter, sortParameter } = requested as RequestedWindow;
    if (given) requireSearches(given, storage, () => filterParameter);
    const filter = given ? planFilter(given, storage) : ALWAYS;
    const order = planOrder(sort, storage, { parameter: sortParameter });
    const { page, isCounted } = window;
    const size = page.kind === 'cursor' ? page.size : page.limit;
    // One more row is read, unless a total shows whether more rows exist.
    const take = takeOneMore(Math.min(page.kind !== 'cursor' && isCounted ? size - 1 : size, context.limits.maxTake));
    const { rows, read } = planRows(page, filter, { resource, order, selection, sortParameter }, { take, context });
    return {
      ...window,
      filter,
      rows: { ...rows, ...(Number.isFinite(size) && { isWindow: true }) },
      read: page.kind === 'cursor' ? onceEach(read) : (found) => ({ rows: found.length > size ? found.slice(0, size) : found }),
    };
  };
}

/** Caches the result of a reader for each array of rows. Links, linkage and included resources read the same rows, whose cursors are expensive. */
function onceEach(read: PlannedWindow['read']): PlannedWindow['read'] {
  const known = new WeakMap<readonly Row[], ReturnType<typeof read>>();
  return (rows) => {
    let shown = known.get(rows);
    if (!shown) known.set(rows, (shown = read(rows)));
    return shown;
  };
}

/** Plans a page of the rows that meet a filter. The order is total, so that pages never overlap (PG-04). */
function planRows(page: RequestedPage, filter: Condition, ordered: OrderedRows, { take, context }: Taken): PlannedRows {
  if (page.kind === 'cursor') {
    const { read, where, ...rows } = planCursorPage(page, ordered, context);
    return { rows: { ...rows, where: and(filter, where), page: take }, read };
  }
  const { resource, selection } = ordered;
  const order = withoutRepeats([...ordered.order, ...keyOrder(resource, context.model.storage)]);
  const part = page.offset > 0 ? { skip: page.offset, ...take } : take;
  return { rows: { where: filter, order, page: part, selection }, read: (rows) => ({ rows }) };
}

/** The number of rows to read, and the context of the planner. */
interface Taken {
  readonly take: Pick<Part, 'take'>;
  readonly context: CursorContext;
}

/** Compiles the order that a client has requested. */
function planOrder(sort: readonly SortKey[], storage: Storage, place: OrderPlace): Order {
  return sort.map((key) => {
    const path = key.path.map((relationship) => storedHop(storage, relationship));
    const { direction } = key;
    if (key.kind === 'count') return { kind: 'count-term', path, counted: storedHop(storage, key.relationship), direction, place };
    return { kind: 'field-term', path, field: storedField(storage, key.attribute), direction, ...(path.length > 0 && { place }) };
  });
}
