import { memberOf } from '../errors/member-of.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApiStyle } from '../options/api-style.js';
import { type ResourceOperation, touching } from '../platform/resource-operation.js';
import { type EndpointRequest, OneOperation, type Reading, type Style, type StyleContext } from '../platform/style.js';
import { touchesOf } from '../query/touches.js';
import { once } from '../utils/memoize-by-object.js';
import { NESTED_WRITES } from './arguments/nested-writes.js';
import { readRpcBatch } from './read-rpc-batch.js';
import { parseRpcBatch } from './parse-rpc-batch.js';
import { findResource, type RpcPath } from './parse-rpc-call.js';
import { planRpcBatch, refuseBatchSize } from './plan-rpc-batch.js';
import { planRpcRequest } from './plan-rpc-call.js';
import { renderRpcError, rpcStatus } from './protocol/render-rpc-error.js';
import { findOperation, isDescription, RPC_BATCH, RPC_DESCRIPTION, RPC_OPERATIONS } from './protocol/rpc-operations.js';
import { RpcService } from './rpc.service.js';

/** The RPC style for the platform. */
export const RPC_STYLE: Style = {
  name: 'rpc',
  mediaType: 'application/json; charset=utf-8',
  vary: 'Authorization, Cookie',
  endpoints: [
    { name: 'sequential', path: `${RPC_BATCH.model}/${RPC_BATCH.name}`, guarded: 'operation' },
    { name: 'describe', path: RPC_DESCRIPTION.name, guarded: 'request' },
    { name: 'describeModel', path: `${RPC_DESCRIPTION.name}/:described`, guarded: 'request' },
    { name: 'operation', path: ':model/:operation', guarded: 'request' },
  ],
  pathHint: 'Paths are /<model>/<operation>, e.g. /post/findMany.',
  words: new Set([...Object.values(RPC_OPERATIONS).flatMap((operation) => operation.arguments), ...Object.keys(NESTED_WRITES)]),
  names: (segment, model) => model.byDelegate.has(segment) || segment === RPC_BATCH.model || segment === RPC_DESCRIPTION.name,
  read: (endpointRequest, context) => readRpc(endpointRequest, context),
  renderError: (error) => ({ status: rpcStatus(error), headers: error.headers, body: renderRpcError(error) }),
  service: RpcService,
};

/**
 * Parses the operation of a request to an endpoint of RPC, for the guards.
 *
 * @param style the style that the guards receive: another one may answer its requests by those of RPC
 */
export function readRpc(endpointRequest: EndpointRequest, context: StyleContext, style: ApiStyle = 'rpc'): Reading {
  if (endpointRequest.endpoint.guarded === 'operation') return readBatch(endpointRequest, context, style);
  if (isDescription(endpointRequest.endpoint))
    return new OneOperation(() => describing(endpointRequest.params['described'], context, style));
  const { model: name = '', operation = '' } = endpointRequest.params;
  const path = { model: name, operation };
  return new OneOperation(() => ownOperationOf(path, context.model, style) ?? singleOf(path, endpointRequest, context, style));
}

function readBatch({ request }: EndpointRequest, { model, limits }: StyleContext, style: ApiStyle): Reading {
  const parsed = readRpcBatch(request);
  const refusal = refuseBatchSize(parsed.entries.length, limits);
  if (refusal) return { operation: touching({ style, ...BATCH, batch: [] }, () => undefined), parsed, refusal };
  const queries = once(() => planRpcBatch(parseRpcBatch(model, request, parsed), limits, model.storage).calls.map(({ query }) => query));
  const batch = parsed.entries.map((entry, index) =>
    touching(batchOperationOf(entry, model, style), () => touchesOf(queries().slice(index, index + 1))),
  );
  return { operation: touching({ style, ...BATCH, batch }, () => touchesOf(queries())), parsed };
}

const BATCH = {
  model: undefined,
  operation: `${RPC_BATCH.model}/${RPC_BATCH.name}`,
  action: undefined,
  actions: [],
} as const;

/** Returns the operation of a description, which reads no row. It touches each model that it may describe, so that guards can refuse it. */
export function describing(
  name: string | undefined,
  { model }: StyleContext,
  style: ApiStyle,
  operation: string = RPC_DESCRIPTION.name,
): ResourceOperation {
  const described = name === undefined ? undefined : model.byDelegate.get(name.toLowerCase())?.model;
  return touching({ style, model: described, operation, action: 'read', actions: ['read'] }, () => {
    const resources = name === undefined ? model.resources : [findResource(model, name)];
    return resources.map((resource) => ({ model: resource.model, action: 'read', fields: [] }));
  });
}

type Operation = Omit<ResourceOperation, 'touches'>;

/**
 * Returns the operation of a batch entry, which may be any value. The guards receive an invalid entry without a model; the parser rejects it after
 * them.
 */
function batchOperationOf(entry: unknown, model: ResourceModel, style: ApiStyle): Operation {
  return operationOf({ model: String(memberOf(entry, 'model')), operation: String(memberOf(entry, 'op')) }, model, style);
}

/** Returns an action of the application, which a batch cannot contain. */
function ownOperationOf(
  { model: name, operation }: RpcPath,
  { byDelegate, ownActions }: ResourceModel,
  style: ApiStyle,
): ResourceOperation | undefined {
  const model = byDelegate.get(name.toLowerCase())?.model;
  const action = model === undefined ? undefined : ownActions?.get(model)?.get(operation);
  if (model === undefined || !action) return undefined;
  const { name: own, right } = action;
  return touching({ style, model, operation: own, action: own, actions: [right] }, () => [{ model, action: right, fields: [] }]);
}

function singleOf(path: RpcPath, { request }: EndpointRequest, { model, limits }: StyleContext, style: ApiStyle): ResourceOperation {
  return touching(operationOf(path, model, style), () => {
    return touchesOf([planRpcRequest(model, path, request, limits).planned.query]);
  });
}

function operationOf({ model: name, operation }: RpcPath, model: ResourceModel, style: ApiStyle): Operation {
  const known = findOperation(operation);
  const actions = known?.actions ?? [];
  return { style, model: model.byDelegate.get(name.toLowerCase())?.model, operation: known?.name, action: actions[0], actions };
}
