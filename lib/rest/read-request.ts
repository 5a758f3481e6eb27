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

/** What a request wants to read, in the words of the style and as a plan. */
export interface ReadRequest<Asked extends Plan = Plan> extends Counting {
  readonly query: ResourceQuery;
  readonly planned: Planned<Asked, RowPage>;
}

/** `GET` and `QUERY /:type` */
export function askCollection(params: PathParameters, request: ApiRequest, shown: PlanContext): ReadRequest<CollectionPlan> {
  const target = parseCollectionTarget('read', params, shown);
  const { context, headers } = preferCount(request, shown, true);
  const query = parseQuery(target, readSearch(request, context), context);
  return { query, planned: planCollection(query, context), context, ...(headers && { headers }) };
}

/** `GET /:type/:id` */
export function askResource(params: PathParameters, request: ApiRequest, shown: PlanContext): ReadRequest<CallPlan<FindUnique>> {
  const target = parseResourceTarget('read', params, shown);
  const { context } = preferCount(request, shown, false);
  const query = parseQuery(target, request.search, context);
  return { query, planned: planResource(query, context), context };
}

/** What is read through a relationship: what it leads to, or its linkage. */
export function askRelated(
  kind: RelationshipTarget['kind'],
  params: PathParameters,
  request: ApiRequest,
  shown: PlanContext,
): ReadRequest<CallPlan<FindUnique>> {
  const target = parseRelationshipTarget('read', kind, params, shown);
  const { context, headers } = preferCount(request, shown, target.relationship.many);
  const query = parseQuery(target, readSearch(request, context), context);
  return { query, planned: planRelated(query, context), context, ...(headers && { headers }) };
}

/**
 * What a read asks, as a query string without `?`: that of its URL, and for QUERY that in its body (RFC 10008), which has no limit by the length of URLs.
 *
 * @throws ApiError `unsupported-media-type` for another body than a form, `unsupported-parameter` for a query in the URL beside it
 */
export function readSearch(request: ApiRequest, context: RestContext): string {
  if (request.method !== 'QUERY') return request.search;
  checkQueryType(request.headers['content-type']);
  checkNoQuery(request.search, context);
  return request.form();
}

/** How the total of a collection is found for one request. */
interface Counting {
  /** That of the module, with the preference of the request among its settings. */
  readonly context: PlanContext;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Applies `Prefer: count=exact|estimated|none` (PF-02): a client may always have less than `rest.count`, and more where `most` allows it.
 *
 * @param isCollection whether there is anything to count
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

/** The cheapest first. */
const MODES: readonly CountMode[] = ['none', 'estimated', 'exact'];

/** Only PostgreSQL's planner is asked how many rows it expects. */
function estimates({ model: { storage } }: Pick<PlanContext, 'model'>): boolean {
  return storage.provider === 'postgresql' && storage.orm === 'prisma';
}
