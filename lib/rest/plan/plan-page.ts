import { type CallCost, measureCost } from '../../limits/measure-cost.js';
import { upTo } from '../../limits/up-to.js';
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
import type { Page, PlannedWindow, PlanWindow } from '../projection/page.js';
import { keyOrder } from '../projection/select-projection.js';
import type { PlanContext } from './plan-context.js';
import { type CursorContext, type OrderedRows, planCursorPage } from './plan-cursor-page.js';
import { planFilter, requireSearches } from './plan-filter.js';
import { requireAffordable } from './require-affordable.js';

/** A page as its rows are read. */
interface PlannedRows extends Pick<PlannedWindow, 'read'> {
  readonly rows: Pick<Find, 'where' | 'order' | 'page' | 'selection'>;
}

/** A page of a collection, and what is counted. */
export interface PlannedPage extends PlannedRows {
  readonly filter: Condition;
}

/**
 * Plans a page of a collection.
 *
 * @param way what it costs to come to the collection
 * @throws ApiError for more than a request may ask, and as the order, the cursors and the filter are refused
 */
export function planPage(query: CollectionQuery, context: PlanContext, way?: CallCost): PlannedPage {
  const { filter: asked, sort, page, resource, projection, parameters } = query;
  const { storage } = context.model;
  const { selection } = projection;
  const filter = asked ? planFilter(asked, storage) : ALWAYS;
  const order = planOrder(sort, storage, { parameter: 'sort' });
  const cost = measureCost(findMany({ model: selection.model, where: filter, order, selection }));
  requireAffordable(way ? [cost, way] : [cost], context.limits, parameters);
  if (asked) requireSearches(asked, storage, () => parameters.map(([name]) => name).find((name) => SEARCH.test(name)) ?? 'filter');
  return { filter, ...planRows(page, filter, { resource, order, selection }, { take: planTake(page, context), context }) };
}

/** The three ways to write the operator (decision D9). */
const SEARCH = /^filter\[.+(?:\$|\]\[)search\]$/;

/** One row too many where only that can tell whether there are more: between cursors, without a total, or without pages. */
function planTake(page: Page, { settings, limits }: PlanContext): Pick<Part, 'take'> {
  if (page.kind === 'cursor') return upTo(page.size);
  if (page.limit === Infinity) return upTo(limits.maxTake);
  return settings.count === 'exact' ? { take: page.limit } : upTo(page.limit);
}

interface WindowContext extends CursorContext {
  readonly limits: Pick<Limits, 'maxTake'>;
}

/** Plans windows: their filter, sort and page as nodes. */
export function windowPlanner(context: WindowContext): PlanWindow {
  const { storage } = context.model;
  return ({ asked, ...window }, { target: resource }, selection) => {
    // The parser's own, which projections do not look into.
    const { filter: given, sort, filterParameter, sortParameter } = asked as RequestedWindow;
    if (given) requireSearches(given, storage, () => filterParameter);
    const filter = given ? planFilter(given, storage) : ALWAYS;
    const order = planOrder(sort, storage, { parameter: sortParameter });
    const { page, isCounted } = window;
    const size = page.kind === 'cursor' ? page.size : page.limit;
    // One row too many where only that can tell whether there are more.
    const take = upTo(Math.min(page.kind !== 'cursor' && isCounted ? size - 1 : size, context.limits.maxTake));
    const { rows, read } = planRows(page, filter, { resource, order, selection, sortParameter }, { take, context });
    return {
      ...window,
      filter,
      rows: { ...rows, ...(Number.isFinite(size) && { isWindow: true }) },
      read: page.kind === 'cursor' ? onceEach(read) : (found) => ({ rows: found.length > size ? found.slice(0, size) : found }),
    };
  };
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

/** A page of the rows that meet a filter, in a total order, so that pages never overlap (PG-04). */
function planRows(page: Page, filter: Condition, ordered: OrderedRows, { take, context }: Taken): PlannedRows {
  if (page.kind === 'cursor') {
    const { read, where, ...rows } = planCursorPage(page, ordered, context);
    return { rows: { ...rows, where: and(filter, where), page: take }, read };
  }
  const { resource, selection } = ordered;
  const order = withoutRepeats([...ordered.order, ...keyOrder(resource, context.model.storage)]);
  const part = page.offset > 0 ? { skip: page.offset, ...take } : take;
  return { rows: { where: filter, order, page: part, selection }, read: (rows) => ({ rows }) };
}

/** How many rows are read. */
interface Taken {
  readonly take: Pick<Part, 'take'>;
  readonly context: CursorContext;
}

/** The order that a client has asked for. */
function planOrder(sort: readonly SortKey[], storage: Storage, place: OrderPlace): Order {
  return sort.map((key) => {
    const path = key.path.map((relationship) => storedHop(storage, relationship));
    const { direction } = key;
    if (key.kind === 'count') return { kind: 'count-term', path, counted: storedHop(storage, key.relationship), direction, place };
    return { kind: 'field-term', path, field: storedField(storage, key.attribute), direction, ...(path.length > 0 && { place }) };
  });
}
