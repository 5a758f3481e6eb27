import { type CallPlan, type CollectionPlan } from '../../data-client/plan.js';
import { uniqueWhere } from '../../model/resource-id.js';
import { type RelationshipTarget, type ResourceTarget } from '../parse/parse-target.js';
import { type CollectionQuery, hasOwnLinkage, type ResourceQuery, type SingleQuery } from '../parse/resource-query.js';
import { type RestContext } from '../parse/rest-context.js';
import { planFilter } from './plan-filter.js';
import { planOrder } from './plan-order.js';
import { planSelect, type Select, selectForeignKey, upTo } from './plan-select.js';

/** A page of a collection, and its total: two statements, and one for each relationship that is included or has its key at the other end. */
export function planCollection(query: CollectionQuery, context: RestContext): CollectionPlan {
  const { delegate } = query.resource;
  const { where, ...page } = planPage(query, context);
  const filter = where && { where };
  const rows = { delegate, operation: 'findMany', args: { ...filter, ...page } };
  if (!hasTotal(query, context)) return { kind: 'collection', rows };
  return { kind: 'collection', rows, total: { delegate, operation: 'count', args: { ...filter } } };
}

/** One resource by its id. */
export function planResource({ target, shape }: SingleQuery<ResourceTarget>, { limits }: RestContext): CallPlan {
  return planFind(target, planSelect(shape, limits.maxTake));
}

/**
 * What a relationship leads to, loaded through the resource that has it. So one call tells a missing parent from an empty relationship, sees
 * both with the caller's eyes, needs no way back from the target, and is two statements: the parent with the total, and the related rows.
 * The linkage of a to-one whose key the parent holds is one.
 *
 * `pickRelated` takes its result apart.
 */
export function planRelated(query: ResourceQuery<RelationshipTarget>, context: RestContext): CallPlan {
  const { target } = query;
  if (query.kind === 'collection') return planFind(target, selectPage(query, context));
  if (hasOwnLinkage(query)) return planFind(target, selectForeignKey(target.relationship));
  return planFind(target, { [target.relationship.name]: { select: planSelect(query.shape, context.limits.maxTake) } });
}

function selectPage(query: CollectionQuery<RelationshipTarget>, context: RestContext): Select {
  const { name } = query.target.relationship;
  const page = planPage(query, context);
  if (!hasTotal(query, context)) return { [name]: page };
  return { [name]: page, _count: { select: { [name]: page.where ? { where: page.where } : true } } };
}

/** Whether the total is counted: never with `rest.count: 'none'`, and not where one page holds all rows anyway. */
function hasTotal({ page }: CollectionQuery, { settings }: RestContext): boolean {
  return settings.count === 'exact' && (page.limit !== Infinity || page.offset > 0);
}

function planFind({ resource, id }: ResourceTarget | RelationshipTarget, select: Select): CallPlan {
  const args = { where: uniqueWhere(resource.identifier, id.values), select };
  return { kind: 'call', call: { delegate: resource.delegate, operation: 'findUnique', args } };
}

interface PageArguments {
  readonly where?: Readonly<Record<string, unknown>>;
  readonly orderBy: unknown;
  readonly skip?: number;
  readonly take?: number;
  readonly select: Select;
}

function planPage(query: CollectionQuery, { settings, limits }: RestContext): PageArguments {
  const { filter, sort, page, resource, shape } = query;
  return {
    ...(filter && { where: planFilter(filter, resource.database.provider) }),
    orderBy: planOrder(sort, resource),
    ...(page.offset > 0 && { skip: page.offset }),
    ...planTake(page.limit, { settings, limits }),
    select: planSelect(shape, limits.maxTake),
  };
}

/** One row too many where only that can tell whether there are more: no total, or no page. */
function planTake(limit: number, { settings, limits }: Pick<RestContext, 'settings' | 'limits'>): { readonly take?: number } {
  if (limit === Infinity) return upTo(limits.maxTake);
  return settings.count === 'exact' ? { take: limit } : upTo(limit);
}
