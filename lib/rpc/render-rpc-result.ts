import type { ApiReply } from '../platform/api-request.js';
import { type Encoded, encodeResult, encodeResults, type ResourceResult } from '../wire/encode-result.js';
import type { Serialization } from '../wire/serialization.js';
import { writtenReply } from '../platform/written-reply.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { pickResult } from './pick-result.js';
import { ResultWriter } from './result-writer.js';
import { RPC_BATCH, type RpcResult } from './rpc-operations.js';
import type { RpcCall } from './parse-rpc-call.js';
import type { RpcSettings } from './rpc-settings.js';

/** The body of an RPC answer (specification, section 4.2, "Wire format"). */
export interface RpcResultBody {
  readonly data: unknown;
  /** Present when `data` holds values of types that JSON lacks. */
  readonly meta?: { readonly serialization: Serialization };
}

/** What the data client gave for a call, and the planned arguments that it was called with. */
export interface AnsweredCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

/** Renders the result of one call: of what the data client gave, that which the arguments name. */
export function renderRpcResult(call: RpcCall, { args, result }: AnsweredCall, { bytes }: RpcSettings): ApiReply {
  const { resource, operation } = call;
  const toJson = (): RpcResultBody => bodyOf(encodeResult(pickResult(call, args, result), resource, bytes));
  const isWritable = ROWS.has(operation.result) && areRows(result);
  const toBytes = (most: number): Uint8Array | undefined =>
    isWritable ? new ResultWriter(bytes, most).write(result, { resource, select: args['select'] }) : undefined;
  return writtenReply({ status: operation.status }, isWritable ? { toJson, toBytes } : { toJson });
}

/** Results that are written without being made first. */
const ROWS: ReadonlySet<RpcResult> = new Set(['rows', 'row', 'row-or-null'] as const);

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
