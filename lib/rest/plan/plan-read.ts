import type { CallPlan, CollectionPlan } from '../../data-client/plan.js';
import { type CallCost, measureRelatedPage } from '../../cost/measure-cost.js';
import { upTo } from '../../cost/up-to.js';
import { uniqueWhere } from '../../model/values/resource-id.js';
import type { RelationshipTarget, ResourceTarget } from '../parse/parse-target.js';
import { type CollectionQuery, hasOwnLinkage, type ResourceQuery, type SingleQuery } from '../parse/resource-query.js';
import type { Select } from '../projection/projection.js';
import { selectForeignKey } from '../projection/select-projection.js';
import { type IncludedRows, limitIncluded } from './limit-included.js';
import type { PlanContext } from './plan-context.js';
import { planFilter } from './plan-filter.js';
import { planOrder, planSort } from './plan-order.js';
import { requireAffordable } from './require-affordable.js';

/** A page of a collection, and its total: two statements, and one for each relationship that is included or has its key at the other end. */
export function planCollection(query: CollectionQuery, context: PlanContext): CollectionPlan {
  const { delegate } = query.resource;
  const { where, ...page } = planPage(query, context);
  const filter = where && { where };
  const rows = limitIncluded({ delegate, operation: 'findMany', args: { ...filter, ...page } }, { resource: query.resource, context });
  if (!hasTotal(query, context)) return { kind: 'collection', rows };
  return { kind: 'collection', rows, total: { delegate, operation: 'count', args: { ...filter } } };
}

/** One resource by its id. */
export function planResource(query: SingleQuery<ResourceTarget>, context: PlanContext): CallPlan {
  return planFind(query.target, planSelect(query, context), { context });
}

/**
 * What a relationship leads to, loaded through the resource that has it. So one call tells a missing parent from an empty relationship, sees
 * both with the caller's eyes, needs no way back from the target, and is two statements: the parent with the total, and the related rows.
 * The linkage of a to-one whose key the parent holds is one.
 *
 * `pickRelated` takes its result apart.
 */
export function planRelated(query: ResourceQuery<RelationshipTarget>, context: PlanContext): CallPlan {
  const { target } = query;
  if (query.kind === 'collection') {
    const page = Math.min(query.page.limit, context.limits.maxTake);
    return planFind(target, selectPage(query, context), { context, page });
  }
  if (hasOwnLinkage(query)) return planFind(target, selectForeignKey(target.relationship), { context });
  return planFind(target, { [target.relationship.name]: { select: planSelect(query, context) } }, { context });
}

function selectPage(query: CollectionQuery<RelationshipTarget>, context: PlanContext): Select {
  const { name } = query.target.relationship;
  const page = planPage(query, context, measureRelatedPage(hasTotal(query, context)));
  if (!hasTotal(query, context)) return { [name]: page };
  return { [name]: page, _count: { select: { [name]: page.where ? { where: page.where } : true } } };
}

/** Whether the total is counted: never with `rest.count: 'none'`, and not where one page holds all rows anyway. */
function hasTotal({ page }: CollectionQuery, { settings }: PlanContext): boolean {
  return settings.count === 'exact' && (page.limit !== Infinity || page.offset > 0);
}

function planFind(
  { resource, id }: ResourceTarget | RelationshipTarget,
  select: Select,
  included: Omit<IncludedRows, 'resource'>,
): CallPlan {
  const args = { where: uniqueWhere(resource.identifier, id.values), select };
  return { kind: 'call', call: limitIncluded({ delegate: resource.delegate, operation: 'findUnique', args }, { resource, ...included }) };
}

/** What is read of the resources, where a request may ask for so much. */
export function planSelect({ resource, projection: { select }, parameters }: ResourceQuery, { limits }: PlanContext): Select {
  requireAffordable({ resource, args: { select }, parameters }, limits);
  return select;
}

interface PageArguments {
  readonly where?: Readonly<Record<string, unknown>>;
  readonly orderBy: unknown;
  readonly skip?: number;
  readonly take?: number;
  readonly select: Select;
}

/** @param way what it costs to come to the collection */
function planPage(query: CollectionQuery, context: PlanContext, way?: CallCost): PageArguments {
  const { filter, sort, page, resource, projection, parameters } = query;
  const args = {
    ...(filter && { where: planFilter(filter, resource.database.provider) }),
    orderBy: planOrder(sort, resource, context.model.storage),
    ...(page.offset > 0 && { skip: page.offset }),
    ...planTake(page.limit, context),
    select: projection.select,
  };
  requireAffordable({ resource, args: { ...args, orderBy: planSort(sort) }, parameters, ...(way && { way }) }, context.limits);
  return args;
}

/** One row too many where only that can tell whether there are more: no total, or no page. */
function planTake(limit: number, { settings, limits }: Pick<PlanContext, 'settings' | 'limits'>): { readonly take?: number } {
  if (limit === Infinity) return upTo(limits.maxTake);
  return settings.count === 'exact' ? { take: limit } : upTo(limit);
}
