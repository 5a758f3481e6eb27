import { RPC_BATCH, RPC_DESCRIPTION } from '../rpc/protocol/rpc-operations.js';
import { type CallSpec, isRead, operationOf } from './call-spec.js';
import type { Connection, RpcRequest } from './connection.js';
import { encodeArgument, type EncodedArgument } from './encode-argument.js';

/**
 * Builds the request of one call (specification, section 4.2, "Wire format").
 *
 * @throws TypeError for an argument that cannot be sent
 */
export function callRequest(spec: CallSpec, { endpoint, maxUrlLength }: Connection): RpcRequest {
  const { model, operation, args } = spec;
  const isWrite = !isRead(spec);
  const { input, verbs } = operationOf(spec);
  const [method] = verbs;
  const url = `${endpoint}/${encodeURIComponent(model)}/${operation}`;
  const argument = encodeArgument(args ?? {}, `${model}.${operation}`);
  if (input === 'body') return { method, url, body: JSON.stringify(inBody(argument)), isWrite };
  if (args === undefined) return { method, url, isWrite };
  const urlWithArgument = `${url}?${search(argument)}`;
  if (urlWithArgument.length <= maxUrlLength) return { method, url: urlWithArgument, isWrite };
  return { method: 'POST', url, body: JSON.stringify(inBody(argument)), override: method, isWrite };
}

/** Builds the request of several calls as one transaction. */
export function batchRequest(calls: readonly CallSpec[], { endpoint }: Connection): RpcRequest {
  const entries = calls.map(({ model, operation, args, ifMatch }) => {
    const encoded = inBody(encodeArgument(args ?? {}, `${model}.${operation}`));
    return { model, op: operation, args: encoded, ...(ifMatch !== undefined && { ifMatch }) };
  });
  const url = `${endpoint}/${RPC_BATCH.model}/${RPC_BATCH.name}`;
  return { method: RPC_BATCH.verbs[0], url, body: JSON.stringify(entries), isWrite: !calls.every(isRead) };
}

/** Builds the request of the description, of all models or of one. */
export function descriptionRequest(model: string | undefined, { endpoint }: Connection): RpcRequest {
  const url = `${endpoint}/${RPC_DESCRIPTION.name}${model === undefined ? '' : `/${encodeURIComponent(model)}`}`;
  return { method: RPC_DESCRIPTION.verbs[0], url, isWrite: false };
}

function inBody({ json, serialization }: EncodedArgument): unknown {
  return serialization ? { ...json, meta: { serialization } } : json;
}

function search({ json, serialization }: EncodedArgument): string {
  const q = `q=${encodeURIComponent(JSON.stringify(json))}`;
  return serialization ? `${q}&meta=${encodeURIComponent(JSON.stringify({ serialization }))}` : q;
}
