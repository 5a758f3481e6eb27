import type { Cost } from '../../../lib/limits/cost.js';
import { measureCost } from '../../../lib/limits/measure-cost.js';
import type { DataCall } from '../../../lib/executor/plan.js';
import { ApiError } from '../../../lib/errors/api-error.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import type { Resource } from '../../../lib/model/surface/surface.js';
import { parseRelationshipTarget } from '../../../lib/rest/parse/parse-target.js';
import { parseQuery } from '../../../lib/rest/parse/parse-query.js';
import { createRestContext } from '../../../lib/rest/plan/rest-contexts.js';
import { planCollection, planRelated } from '../../../lib/rest/plan/plan-read.js';
import { startBudget } from '../../../lib/rpc/arguments/argument-path.js';
import { requireOperation } from '../../../lib/rpc/parse-rpc-call.js';
import { planRpcBatch } from '../../../lib/rpc/plan-rpc-batch.js';
import { planDataCall } from '../../../lib/rpc/plan-rpc-call.js';
import type { ListRequest } from '../../support/costly-lists.js';
import type { CostlyRequest, Operation } from '../../support/costly-requests.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { sumCosts } from '../../support/sum-costs.js';

export const { model } = buildResourceModel(resourceSchema, { resources: { AuditEvent: { fields: { type: { name: 'kind' } } } } });

const SETTINGS = {
  endpoint: 'http://api.test/api/rest',
  pageSize: 100,
  maxPageSize: 1000,
  strict: false,
  idDivider: '_',
  count: 'exact',
} as const;

export interface Accepted {
  readonly call: DataCall;
  readonly cost: Cost;
}

/** Returns the planned call of a request under the default limits; undefined where it is refused. */
export function accept(request: ListRequest): Accepted | undefined {
  const resource = resourceNamed(request.model);
  try {
    const call = planList(request, resource);
    return { call, cost: sumCosts(measureCost(call.query)) };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const context = createRestContext(model, SETTINGS, DEFAULT_LIMITS);

function planList(request: ListRequest, resource: Resource): DataCall {
  if (request.style === 'rpc') {
    const operation = requireOperation('findMany');
    return planDataCall({ resource, operation, args: request.args }, startBudget(DEFAULT_LIMITS, model.storage));
  }
  return planCollection(parseQuery({ kind: 'collection', resource }, request.query, context), context).plan.rows;
}

/** Returns the planned calls of a request under the default limits, each with its model; undefined where it is refused. */
export function acceptCalls(request: CostlyRequest): readonly PlannedCall[] | undefined {
  try {
    return request.style === 'rpc' ? planOperations(request.operations) : [planPage(request)];
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

export interface PlannedCall {
  readonly model: string;
  readonly call: DataCall;
}

function planOperations(operations: readonly Operation[]): readonly PlannedCall[] {
  const calls = operations.map(({ model: name, op, args }) => ({ resource: resourceNamed(name), operation: requireOperation(op), args }));
  const planned = planRpcBatch(calls, DEFAULT_LIMITS, model.storage).calls;
  return planned.flatMap((call, index) => (operations[index] ? [{ model: operations[index].model, call }] : []));
}

function planPage({ model: name, relation, query }: Extract<CostlyRequest, { readonly style: 'rest' }>): PlannedCall {
  const resource = resourceNamed(name);
  const target = parseRelationshipTarget('read', 'related', { type: resource.type, id: '1', relationship: relation }, context);
  return { model: name, call: planRelated(parseQuery(target, query, context), context).plan.call };
}

export function resourceNamed(name: string): Resource {
  const resource = model.byModel.get(name);
  if (!resource) throw new Error(`There is no model ${name}.`);
  return resource;
}
