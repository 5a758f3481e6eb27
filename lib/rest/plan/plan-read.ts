import { measureRelatedPage, measureSelected } from '../../limits/measure-cost.js';
import type { CallPlan, CollectionPlan, Planned } from '../../executor/plan.js';
import { ApiError } from '../../errors/api-error.js';
import { cut } from '../../errors/quote.js';
import type { Limits } from '../../model/limits.js';
import { storedHop, storedModel } from '../../model/storage/stored-model.js';
import { selectionOf } from '../../query/fields.js';
import { uniqueCondition } from '../../query/key.js';
import { type Count, countRows, findMany, type FindUnique } from '../../query/read.js';
import { relatedCount, relatedRows, type Row } from '../../query/result.js';
import type { Member, Selection } from '../../query/selection.js';
import type { RelationshipTarget, ResourceTarget } from '../parse/target.js';
import type { CollectionQuery, ResourceQuery, SingleQuery } from '../parse/resource-query.js';
import { foreignKeyReader, relatedReader } from '../projection/key-reader.js';
import type { RequestedPage, RowPage } from '../projection/page.js';
import { selectForeignKey, selectRelated } from '../projection/select-projection.js';
import { EXACT_UP_TO } from '../../options/rest-settings.js';
import type { Resource } from '../../model/surface/surface.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import type { PlanContext } from './plan-context.js';
import { type PlannedPage, planPage } from './plan-page.js';
import { limitIncluded, requireAffordable } from './require-affordable.js';

/**
 * Plans a page of a collection, and its total. These are two statements, and one more for each relationship that is included or whose foreign key is
 * in the related table. Plans are cached, because requests share parsed queries.
 */
export function planCollection(query: CollectionQuery, context: PlanContext): Planned<CollectionPlan, RowPage> {
  return cachedPlans(context)(query);
}

const cachedPlans = memoizeByObject((context: PlanContext) =>
  memoizeByObject((query: CollectionQuery) => planRowsAndTotal(query, context)),
);

function planRowsAndTotal(query: CollectionQuery, context: PlanContext): Planned<CollectionPlan, RowPage> {
  const { filter, rows: page, read } = planPage(query, context);
  const { model } = query.projection.selection;
  const rows = limitIncluded({ query: findMany({ model, ...page }) }, limitsOf(query, context));
  const total = hasTotal(query, context) ? planTotal({ model, where: filter }, context) : undefined;
  return { plan: { kind: 'collection', rows, ...total }, read: (found) => ({ ...found, ...read(found.rows) }) };
}

/** Plans a read of one resource by its id. */
export function planResource(query: SingleQuery<ResourceTarget>, context: PlanContext): Planned<CallPlan<FindUnique>, RowPage> {
  const { plan, read } = planFind(query.target, planSelection(query, context), context);
  return { plan, read: (row) => ({ rows: [read(row)] }) };
}

/**
 * Plans a read of related resources or of linkage, through the resource that has the relationship.
 *
 * One call distinguishes a missing parent from an empty relationship, and applies the caller's visibility to both. It requires no opposite relation.
 * It takes two statements: the parent with the total, and the related rows. The linkage of a to-one whose key the parent holds takes one statement.
 */
export function planRelated(query: ResourceQuery<RelationshipTarget>, context: PlanContext): Planned<CallPlan<FindUnique>, RowPage> {
  const { selection, pick } = planLinked(query, context);
  const page = query.kind === 'collection' ? Math.min(sizeOf(query.page), context.limits.maxTake) : 0;
  const { plan, read } = planFind(query.target, selection, { ...context, limits: limitsOf(query, context) }, page);
  return { plan, read: (row) => pick(read(row)) };
}

/** The selection of the parent row, and the function that picks the related rows from it. */
interface LinkedRows {
  readonly selection: Selection;
  readonly pick: (row: Row) => RowPage;
}

/** Plans the selection of a parent row with its related rows. */
export function planLinked(query: ResourceQuery<RelationshipTarget>, context: PlanContext): LinkedRows {
  const { resource, relationship } = query.target;
  const { storage } = context.model;
  const { name, linkageKey } = relationship;
  const model = storedModel(storage, resource.model);
  if (query.kind === 'collection') {
    const { members, read } = planRelatedPage(query, context);
    return {
      selection: selectionOf(model, members),
      pick: (row) => ({ total: relatedCount(row, name), ...read(relatedRows(row, name)) }),
    };
  }
  const readRelated = relatedReader(relationship);
  const readKey = query.target.kind === 'relationship' && linkageKey !== undefined ? foreignKeyReader(relationship) : undefined;
  const pick = (row: Row): RowPage => {
    const related = readRelated(row);
    if (related) return { rows: [related] };
    // The key is a value of the parent row. It is returned even if the caller may not read the row that it references.
    const key = readKey?.(row);
    return { rows: key ? [key] : [], ...(key && query.projection.kind !== 'key' && { areKeys: true }) };
  };
  const key = readKey ? selectForeignKey(model, relationship) : selectionOf(model, []);
  if (readKey && query.projection.kind === 'key') return { selection: key, pick };
  const member = selectRelated(relationship, planSelection(query, context), { storage, maxTake: context.limits.maxTake });
  return { selection: selectionOf(model, [...key.members, member]), pick };
}

function planRelatedPage(
  query: CollectionQuery<RelationshipTarget>,
  context: PlanContext,
): { readonly members: readonly Member[]; readonly read: PlannedPage['read'] } {
  const hop = storedHop(context.model.storage, query.target.relationship);
  const isCounted = hasTotal(query, context);
  const { filter, rows: page, read } = planPage(query, context, measureRelatedPage(isCounted));
  const rows: Member = { kind: 'many', ...hop, ...page };
  return { members: isCounted ? [rows, { kind: 'counts', counts: [{ ...hop, where: filter }] }] : [rows], read };
}

/** Plans the total. If it may be estimated, the count stops one row after `exactUpTo`. */
function planTotal(rows: Pick<Count, 'model' | 'where'>, { settings }: PlanContext): Pick<CollectionPlan, 'total' | 'exactUpTo'> {
  if (settings.count !== 'estimated') return { total: { query: countRows(rows) } };
  const { exactUpTo = EXACT_UP_TO } = settings;
  return { total: { query: countRows({ ...rows, page: { take: exactUpTo + 1 } }) }, exactUpTo };
}

/** Whether the total is counted: never with `rest.count: 'none'`, and not if one page holds all rows. */
function hasTotal({ page }: CollectionQuery, { settings }: PlanContext): boolean {
  return settings.count !== 'none' && (page.kind === 'cursor' || page.limit !== Infinity || page.offset > 0);
}

function sizeOf(page: RequestedPage): number {
  return page.kind === 'cursor' ? page.size : page.limit;
}

/**
 * Returns the limits of a query. A full page between cursors may have one row more than `maxTake`, because the additional row is not in the response.
 */
function limitsOf(query: ResourceQuery, { limits }: PlanContext): Limits {
  const isOver = query.kind === 'collection' && query.page.kind === 'cursor' && query.page.size >= limits.maxTake;
  return isOver ? { ...limits, maxTake: limits.maxTake + 1 } : limits;
}

/**
 * Plans the look-up of a resource by its id.
 *
 * @param page as in {@link limitIncluded}
 * @returns a plan whose reader throws `not-found` if there is no such row, or none that the caller may see
 */
function planFind(
  { resource, id }: ResourceTarget | RelationshipTarget,
  selection: Selection,
  { model: { storage }, limits }: PlanContext,
  page = 0,
): Planned<CallPlan<FindUnique>, Row> {
  const read = (row: Row | null): Row => {
    if (row !== null) return row;
    throw new ApiError('not-found', `There is no ${resource.type} with id ${cut(id.text)}.`);
  };
  const stored = storedModel(storage, resource.model);
  const where = uniqueCondition(stored, resource.identifier, id.values);
  const query: FindUnique = { kind: 'find-unique', model: stored, where, selection, isRequired: false };
  return { plan: { kind: 'call', call: limitIncluded({ query }, limits, page) }, read };
}

/**
 * Returns the selection of a query.
 *
 * @throws ApiError `limit-exceeded` if the selection costs more than a request may
 */
export function planSelection({ projection: { selection }, parameters }: ResourceQuery, { limits }: PlanContext): Selection {
  requireAffordable([measureSelected(selection)], limits, parameters);
  return selection;
}

/** Returns the selection of the key of a resource, for a write whose response has no document. */
export function keySelection(resource: Resource, { projections }: PlanContext): Selection {
  return projections.keyOf(resource).selection;
}
