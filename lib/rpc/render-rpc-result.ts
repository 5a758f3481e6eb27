import type { ApiReply } from '../platform/api-request.js';
import { type Encoded, encodeResult, encodeResults, type ResourceResult } from '../wire/encode-result.js';
import type { Serialization } from '../wire/serialization.js';
import { RPC_BATCH } from './rpc-operations.js';
import type { RpcCall } from './parse-rpc-call.js';
import type { RpcSettings } from './rpc-settings.js';

/** The body of an RPC answer (specification, section 4.2, "Wire format"). */
export interface RpcResultBody {
  readonly data: unknown;
  /** Present when `data` holds values of types that JSON lacks. */
  readonly meta?: { readonly serialization: Serialization };
}

/** Renders what the data client gave for one call. */
export function renderRpcResult({ resource, operation }: RpcCall, result: unknown, { bytes }: RpcSettings): ApiReply {
  return { status: operation.status, body: bodyOf(encodeResult(result, resource, bytes)) };
}

/** Renders the results of a batch, in the order of its operations. */
export function renderRpcBatch(results: readonly ResourceResult[], { bytes }: RpcSettings): ApiReply {
  return { status: RPC_BATCH.status, body: bodyOf(encodeResults(results, bytes)) };
}

function bodyOf({ json, serialization }: Encoded): RpcResultBody {
  return { data: json, ...(serialization && { meta: { serialization } }) };
}
