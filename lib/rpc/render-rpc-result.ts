import { type Resource } from '../model/resource-model.js';
import { type ApiReply } from '../platform/api-request.js';
import { encodeResult } from '../wire/encode-result.js';
import { type Serialization } from '../wire/serialization.js';
import { RPC_BATCH } from './rpc-operations.js';
import { type RpcCall } from './parse-rpc-call.js';
import { type RpcSettings } from './rpc-settings.js';

/** The body of an RPC answer (specification, section 4.2, "Wire format"). */
export interface RpcResultBody {
  readonly data: unknown;
  /** Present when `data` holds values of types that JSON lacks. */
  readonly meta?: { readonly serialization: Serialization };
}

/** Renders what the data client gave for one call. */
export function renderRpcResult({ resource, operation }: RpcCall, result: unknown, settings: RpcSettings): ApiReply {
  return { status: operation.status, body: renderBody(result, resource, settings) };
}

/** Renders the results of a batch, in the order of its operations. */
export function renderRpcBatch(results: readonly unknown[], settings: RpcSettings): ApiReply {
  return { status: RPC_BATCH.status, body: renderBody(results, undefined, settings) };
}

function renderBody(result: unknown, resource: Resource | undefined, { bytes }: RpcSettings): RpcResultBody {
  const { json, serialization } = encodeResult(result, resource, bytes);
  return { data: json, ...(serialization && { meta: { serialization } }) };
}
