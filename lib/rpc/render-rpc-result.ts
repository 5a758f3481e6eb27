import type { ApiReply } from '../http/api-request.js';
import { type Encoded, encodeResult, encodeResults, type ResourceResult } from '../wire/encode-result.js';
import type { Serialization } from '../wire/serialization.js';
import { writtenReply } from '../http/written-reply.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type Query, selectionIn } from '../query/query.js';
import { namedBy, pick } from './pick-result.js';
import { ResultWriter } from './result-writer.js';
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
export interface AnsweredCall {
  readonly query: Query;
  readonly result: unknown;
}

/** Renders the result of one call, limited to the members that its query names. */
export function renderRpcResult({ resource, operation }: RpcCall, { query, result }: AnsweredCall, { bytes }: RpcSettings): ApiReply {
  const named = namedBy(query);
  const toJson = (): RpcResultBody => bodyOf(encodeResult(pick(result, named), resource, bytes));
  // Rows are written as JSON text directly, without intermediate objects.
  if (!named || !selectionIn(query) || !areRows(result)) return writtenReply({ status: operation.status }, { toJson });
  const toBytes = (most: number): Uint8Array | undefined => new ResultWriter(bytes, most).write(result, { resource, named });
  return writtenReply({ status: operation.status }, { toJson, toBytes });
}

type Row = Readonly<Record<string, unknown>>;

function areRows(result: unknown): result is Row | readonly Row[] {
  return Array.isArray(result) ? result.every(isPlainObject) : isPlainObject(result);
}

/** Renders the results of a batch, in the order of its operations. */
export function renderRpcBatch(results: readonly ResourceResult[], { bytes }: RpcSettings): ApiReply {
  return { status: RPC_BATCH.status, body: bodyOf(encodeResults(results, bytes)) };
}

function bodyOf({ json, serialization }: Encoded): RpcResultBody {
  return { data: json, ...(serialization && { meta: { serialization } }) };
}
