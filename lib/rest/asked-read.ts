import type { CallPlan, CollectionPlan, Plan, Planned } from '../data-client/plan.js';
import type { ApiRequest } from '../platform/api-request.js';
import type { FindUnique } from '../query/read.js';
import { parseQuery } from './parse/parse-query.js';
import {
  parseCollectionTarget,
  parseRelationshipTarget,
  parseResourceTarget,
  type PathParameters,
  type RelationshipPath,
} from './parse/parse-target.js';
import type { ResourceQuery } from './parse/resource-query.js';
import type { PlanContext } from './plan/plan-context.js';
import { planCollection, planRelated, planResource } from './plan/plan-read.js';
import { type Counting, preferCount } from './prefer-count.js';
import type { RowPage } from './projection/row.js';
import { readSearch } from './read-search.js';

/** What a request wants to read, in the words of the style and as a plan. */
export interface AskedRead<Asked extends Plan = Plan> extends Counting {
  readonly query: ResourceQuery;
  readonly planned: Planned<Asked, RowPage>;
}

/** `GET` and `QUERY /:type` */
export function askCollection(params: PathParameters, request: ApiRequest, shown: PlanContext): AskedRead<CollectionPlan> {
  const target = parseCollectionTarget('read', params, shown);
  const { context, headers } = preferCount(request, shown, true);
  const query = parseQuery(target, readSearch(request, context), context);
  return { query, planned: planCollection(query, context), context, ...(headers && { headers }) };
}

/** `GET /:type/:id` */
export function askResource(params: PathParameters, request: ApiRequest, shown: PlanContext): AskedRead<CallPlan<FindUnique>> {
  const target = parseResourceTarget('read', params, shown);
  const { context } = preferCount(request, shown, false);
  const query = parseQuery(target, request.search, context);
  return { query, planned: planResource(query, context), context };
}

/** What is read through a relationship: what it leads to, or its linkage. */
export function askRelated(path: RelationshipPath, request: ApiRequest, shown: PlanContext): AskedRead<CallPlan<FindUnique>> {
  const target = parseRelationshipTarget('read', path, shown);
  const { context, headers } = preferCount(request, shown, target.relationship.many);
  const query = parseQuery(target, readSearch(request, context), context);
  return { query, planned: planRelated(query, context), context, ...(headers && { headers }) };
}
