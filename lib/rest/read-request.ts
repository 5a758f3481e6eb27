import type { CallPlan, CollectionPlan, Plan, Planned } from '../executor/plan.js';
import type { ApiRequest } from '../http/api-request.js';
import { preferenceOf } from '../http/preferences.js';
import type { FindUnique } from '../query/read.js';
import { checkQueryType } from './protocol/media-type.js';
import { checkNoQuery, parseQuery } from './parse/parse-query.js';
import { parseCollectionTarget, parseRelationshipTarget, parseResourceTarget } from './parse/parse-target.js';
import type { PathParameters, RelationshipTarget } from './parse/target.js';
import type { ResourceQuery } from './parse/resource-query.js';
import type { RestContext } from './parse/rest-context.js';
import type { PlanContext } from './plan/plan-context.js';
import { planCollection, planRelated, planResource } from './plan/plan-read.js';
import type { RowPage } from './projection/page.js';
import type { CountMode } from '../options/rest-settings.js';

/** A parsed read: the REST query and its plan. */
export interface ReadRequest<P extends Plan = Plan> extends Counting {
  readonly query: ResourceQuery;
  readonly planned: Planned<P, RowPage>;
}

/** Parses and plans `GET` and `QUERY /:type`. */
export function planCollectionRead(params: PathParameters, request: ApiRequest, planContext: PlanContext): ReadRequest<CollectionPlan> {
  const target = parseCollectionTarget('read', params, planContext);
  const { context, headers } = preferCount(request, planContext, true);
  const query = parseQuery(target, readSearch(request, context), context);
  return { query, planned: planCollection(query, context), context, ...(headers && { headers }) };
}

/** Parses and plans `GET /:type/:id`. */
export function planResourceRead(params: PathParameters, request: ApiRequest, planContext: PlanContext): ReadRequest<CallPlan<FindUnique>> {
  const target = parseResourceTarget('read', params, planContext);
  const { context } = preferCount(request, planContext, false);
  const query = parseQuery(target, request.search, context);
  return { query, planned: planResource(query, context), context };
}

/** Parses and plans a read through a relationship: of the related resources, or of the linkage. */
export function planRelatedRead(
  kind: RelationshipTarget['kind'],
  params: PathParameters,
  request: ApiRequest,
  planContext: PlanContext,
): ReadRequest<CallPlan<FindUnique>> {
  const target = parseRelationshipTarget('read', kind, params, planContext);
  const { context, headers } = preferCount(request, planContext, target.relationship.many);
  const query = parseQuery(target, readSearch(request, context), context);
  return { query, planned: planRelated(query, context), context, ...(headers && { headers }) };
}

/**
 * Returns the query string of a read without `?`: from the URL, or for QUERY from the body (RFC 10008). Limits on the length of URLs do not apply to
 * the body.
 *
 * @throws ApiError `unsupported-media-type` for a body that is not a form, `unsupported-parameter` if a QUERY also has a query in its URL
 */
export function readSearch(request: ApiRequest, context: RestContext): string {
  if (request.method !== 'QUERY') return request.search;
  checkQueryType(request.headers['content-type']);
  checkNoQuery(request.search, context);
  return request.form();
}

/** The settings of one request for the total of a collection. */
interface Counting {
  /** The context of the module, with the preference of the request in its settings. */
  readonly context: PlanContext;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Applies `Prefer: count=exact|estimated|none` (PF-02). A client may always choose a cheaper mode than `rest.count`, and a more expensive one up to
 * `rest.count.most`.
 *
 * @param isCollection whether the response has a total
 * @throws ApiError `unsupported-header`
 */
function preferCount(request: ApiRequest, context: PlanContext, isCollection: boolean): Counting {
  if (request.headers['prefer'] === undefined) return { context };
  const { settings } = context;
  const most = MODES.indexOf(settings.mostCount ?? settings.count);
  const read = (value: string): CountMode | undefined => {
    const mode = MODES.slice(0, most + 1).find((name) => name === value);
    return mode === 'estimated' && !estimates(context) ? undefined : mode;
  };
  const preferred = preferenceOf(request, isCollection ? { name: 'count', read } : undefined);
  if (!preferred) return { context };
  const headers = { ...preferred.headers, Vary: 'Prefer' };
  return { context: { ...context, settings: { ...settings, count: preferred.value } }, headers };
}

/** The modes of a count, the cheapest first. */
const MODES: readonly CountMode[] = ['none', 'estimated', 'exact'];

/** Whether totals can be estimated. Estimates come only from PostgreSQL's planner, through Prisma. */
function estimates({ model: { storage } }: Pick<PlanContext, 'model'>): boolean {
  return storage.provider === 'postgresql' && storage.orm === 'prisma';
}
