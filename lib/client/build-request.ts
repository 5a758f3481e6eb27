import { RPC_BATCH, RPC_OPERATIONS } from '../rpc/rpc-operations.js';
import type { CallSpec } from './call-spec.js';
import type { Connection } from './connection.js';
import { encodeArgument, type EncodedArgument } from './encode-argument.js';

/** An HTTP request of this protocol, but for the user's headers. */
export interface RpcRequest {
  readonly method: string;
  readonly url: string;
  /** JSON. */
  readonly body?: string;
  /** The method that is meant, when the argument of a GET or DELETE is in the body of a POST because a URL cannot hold it. */
  readonly override?: string;
}

/**
 * The request of one call (specification, section 4.2, "Wire format").
 *
 * @throws TypeError for an argument that cannot be sent
 */
export function callRequest({ model, operation, args }: CallSpec, { endpoint, maxUrlLength }: Connection): RpcRequest {
  const { input, verbs } = RPC_OPERATIONS[operation];
  const [method] = verbs;
  const url = `${endpoint}/${encodeURIComponent(model)}/${operation}`;
  const argument = encodeArgument(args ?? {}, `${model}.${operation}`);
  if (input === 'body') return { method, url, body: JSON.stringify(inBody(argument)) };
  if (args === undefined) return { method, url };
  const urlWithArgument = `${url}?${search(argument)}`;
  if (urlWithArgument.length <= maxUrlLength) return { method, url: urlWithArgument };
  return { method: 'POST', url, body: JSON.stringify(inBody(argument)), override: method };
}

/** The request of several calls as one transaction. */
export function batchRequest(calls: readonly CallSpec[], { endpoint }: Connection): RpcRequest {
  const entries = calls.map(({ model, operation, args }) => {
    return { model, op: operation, args: inBody(encodeArgument(args ?? {}, `${model}.${operation}`)) };
  });
  return { method: RPC_BATCH.verbs[0], url: `${endpoint}/${RPC_BATCH.model}/${RPC_BATCH.name}`, body: JSON.stringify(entries) };
}

function inBody({ json, serialization }: EncodedArgument): unknown {
  return serialization ? { ...(json as object), meta: { serialization } } : json;
}

function search({ json, serialization }: EncodedArgument): string {
  const q = `q=${encodeURIComponent(JSON.stringify(json))}`;
  return serialization ? `${q}&meta=${encodeURIComponent(JSON.stringify({ serialization }))}` : q;
}
