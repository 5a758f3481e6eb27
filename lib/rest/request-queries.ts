import { callsOf, type Plan } from '../executor/plan.js';
import { ApiError } from '../errors/api-error.js';
import type { ApiRequest } from '../http/api-request.js';
import type { Query } from '../query/query.js';
import type { Selection } from '../query/selection.js';
import { planCollectionRead, type ReadRequest, planRelatedRead, planResourceRead } from './read-request.js';
import {
  parseCreate,
  parseDelete,
  type DocumentRequest,
  type LinkageRequest,
  parseLinkageChange,
  parseRelatedChange,
  parseUpdate,
} from './write-request.js';
import { LocalIds } from './parse/operations/local-ids.js';
import { parseOperation } from './parse/operations/parse-operation.js';
import type { RequestedOperations } from './parse/operations/read-operations.js';
import { parseResultQuery } from './parse/parse-query.js';
import type { CollectionTarget, PathParameters, ResourceTarget } from './parse/target.js';
import { resourceOf, type WriteIntent } from './parse/write-intent.js';
import type { PlanContext } from './plan/plan-context.js';
import { keySelection, planLinked, planSelection } from './plan/plan-read.js';
import { planWrite } from './plan/plan-write.js';
import type { RestOperationName } from './protocol/rest-endpoints.js';

/**
 * Returns the queries of a request for guards, by the same steps as its execution. Validators of the application have not changed its values, and its
 * preconditions are not evaluated.
 *
 * @throws ApiError if the request cannot be parsed
 */
export function requestQueries(operation: RestOperationName, args: Parameters<QueriesOf>): readonly Query[] {
  return QUERIES[operation](...args);
}

type QueriesOf = (params: PathParameters, request: ApiRequest, context: PlanContext) => readonly Query[];

const QUERIES: Readonly<Record<RestOperationName, QueriesOf>> = {
  fetchCollection: (...args) => ofRead(planCollectionRead(...args)),
  fetchResource: (...args) => ofRead(planResourceRead(...args)),
  fetchRelated: (...args) => ofRead(planRelatedRead('related', ...args)),
  fetchRelationship: (...args) => ofRead(planRelatedRead('relationship', ...args)),
  createResource: (...args) => ofDocument(parseCreate(...args), args[2]),
  updateResource: (...args) => ofDocument(parseUpdate(...args), args[2]),
  deleteResource: (...args) => ofWrite(parseDelete(...args).intent(), args[2]),
  addToRelationship: (...args) => ofLinkage(parseLinkageChange('add', ...args), args[2]),
  replaceRelationship: (...args) => ofLinkage(parseLinkageChange('replace', ...args), args[2]),
  removeFromRelationship: (...args) => ofLinkage(parseLinkageChange('remove', ...args), args[2]),
  replaceRelated: (...args) => ofLinkage(parseRelatedChange(...args), args[2]),
};

function ofRead<P extends Plan>({ planned }: ReadRequest<P>): readonly Query[] {
  return callsOf(planned.plan).map(({ query }) => query);
}

function ofDocument({ query, intent }: DocumentRequest<CollectionTarget | ResourceTarget>, context: PlanContext): readonly Query[] {
  return ofWrite(intent(), context, planSelection(query, context));
}

function ofLinkage({ query, intent }: LinkageRequest, context: PlanContext): readonly Query[] {
  return ofWrite(intent(), context, query && planLinked(query, context).selection);
}

/** Returns the write of a plan, which is its last call. The calls before it only read rows that the write references. */
function ofWrite(
  intent: WriteIntent,
  context: PlanContext,
  selection: Selection = keySelection(resourceOf(intent), context),
): readonly Query[] {
  return planWrite(intent, selection, context)
    .plan.calls.slice(-1)
    .map(({ query }) => query);
}

/** Returns the queries of each operation of an operations request. */
export function operationQueries(
  { entries, fault }: RequestedOperations,
  search: string,
  given: PlanContext,
): readonly (readonly Query[])[] {
  if (fault) throw fault;
  const context = { ...given, localIds: new LocalIds() };
  const queryOf = parseResultQuery(search, context);
  return entries.map((entry) => {
    if (entry instanceof ApiError) throw entry;
    const { intent, shown } = parseOperation(entry, context);
    return ofWrite(intent, context, shown && planSelection(queryOf(shown), context));
  });
}
