import type { ApiReply } from '../http/api-request.js';
import type { Resource } from '../model/surface/surface.js';
import { encodeResult } from '../wire/encode-result.js';
import type { Serialization } from '../wire/serialization.js';
import { writtenReply } from '../http/written-reply.js';
import { type Query, selectionIn } from '../query/query.js';
import { namedBy, pickResult } from './pick-result.js';
import { areRows, type BatchResult, ResultWriter } from './result-writer.js';
import { RPC_BATCH } from './protocol/rpc-operations.js';
import type { RpcCall } from './parse-rpc-call.js';
import type { RpcSettings } from '../options/rpc-settings.js';

/** The body of an RPC response (specification, section 4.2, "Wire format"). */
export interface RpcResultBody {
  readonly data: unknown;
  /** Present if `data` has values of types that JSON lacks. */
  readonly meta?: { readonly serialization: Serialization };
}

/** The query of a call and its result. */
export interface CallResult {
  readonly query: Query;
  readonly result: unknown;
}

/** The query of a call in a batch, its result, and the resource of its rows. */
export interface OperationResult extends CallResult {
  readonly resource: Resource | undefined;
}

/** Renders the result of one call, limited to the members that its query names. */
export function renderRpcResult({ resource, operation }: RpcCall, { query, result }: CallResult, { bytes }: RpcSettings): ApiReply {
  const { status } = operation;
  const named = namedResult({ query, result, resource });
  if ('rows' in named) return writtenReply({ status }, (maxBytes) => new ResultWriter(bytes, maxBytes).write(named.rows, named.selected));
  const { json, serialization } = encodeResult(named.value, resource, bytes);
  return { status, body: { data: json, ...(serialization && { meta: { serialization } }) } satisfies RpcResultBody };
}

/** Renders the results of a batch, in the order of its operations. */
export function renderRpcBatch(results: readonly OperationResult[], { bytes }: RpcSettings): ApiReply {
  return writtenReply({ status: RPC_BATCH.status }, (maxBytes) => new ResultWriter(bytes, maxBytes).writeAll(results.map(namedResult)));
}

/** Limits a result to the members that its query names. Rows are limited while they are written. */
function namedResult({ query, result, resource }: OperationResult): BatchResult {
  const named = selectionIn(query) && namedBy(query);
  return named && areRows(result) ? { rows: result, selected: { resource, named } } : { value: pickResult(query, result), resource };
}
