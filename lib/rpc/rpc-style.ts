import type { Reading, Style } from '../platform/style.js';
import type { ResourceOperation } from '../platform/resource-operation.js';
import type { ResourceModel } from '../model/resource-model.js';
import { NESTED_WRITES } from './arguments/nested-writes.js';
import { readRpcBatch } from './read-rpc-batch.js';
import { refuseBatchSize } from './plan-rpc-batch.js';
import { renderRpcError, rpcStatus } from './render-rpc-error.js';
import { findOperation, RPC_BATCH, RPC_OPERATIONS } from './rpc-operations.js';
import { RpcService } from './rpc.service.js';

/** The RPC style as the platform mounts it. */
export const RPC_STYLE: Style = {
  name: 'rpc',
  mediaType: 'application/json; charset=utf-8',
  vary: 'Authorization, Cookie',
  endpoints: [
    { name: 'sequential', path: `${RPC_BATCH.model}/${RPC_BATCH.name}`, guarded: 'operation' },
    { name: 'operation', path: ':model/:operation', guarded: 'request' },
  ],
  pathHint: 'Paths are /<model>/<operation>, e.g. /post/findMany.',
  words: new Set([...Object.values(RPC_OPERATIONS).flatMap((operation) => operation.arguments), ...Object.keys(NESTED_WRITES)]),
  names: (segment, model) => model.byDelegate.has(segment) || segment === RPC_BATCH.model,
  read: ({ endpoint, params, request }, { model, limits }): Reading => {
    const { model: name = '', operation = '' } = params;
    if (endpoint.guarded === 'request') return { operation: operationOf(name, operation, model) };
    const parsed = readRpcBatch(request);
    const refusal = refuseBatchSize(parsed.entries.length, limits);
    const batch = refusal ? [] : parsed.entries.map((entry) => batchOperationOf(entry, model));
    return { operation: { ...BATCH, batch }, parsed, ...(refusal && { refusal }) };
  },
  renderError: (error) => ({ status: rpcStatus(error), headers: error.headers, body: renderRpcError(error) }),
  service: RpcService,
};

const BATCH: ResourceOperation = {
  style: 'rpc',
  model: undefined,
  operation: `${RPC_BATCH.model}/${RPC_BATCH.name}`,
  action: undefined,
  actions: [],
};

/** Of whatever an entry is: what is no operation is refused after the guards, who see that it names nothing. */
function batchOperationOf(entry: unknown, model: ResourceModel): ResourceOperation {
  const { model: name, op } = (entry ?? {}) as { readonly model?: unknown; readonly op?: unknown };
  return operationOf(String(name), String(op), model);
}

function operationOf(name: string, operation: string, model: ResourceModel): ResourceOperation {
  const known = findOperation(operation);
  const actions = known?.actions ?? [];
  return { style: 'rpc', model: model.byDelegate.get(name.toLowerCase())?.model, operation: known?.name, action: actions[0], actions };
}
