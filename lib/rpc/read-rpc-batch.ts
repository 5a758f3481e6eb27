import { ApiError } from '../errors/api-error.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { readJsonBody, revive } from './parse-argument.js';

/** The operations of a batch as the client sent them, with their values revived. The parser validates them later. */
export interface RpcBatch {
  readonly entries: readonly unknown[];
  /** The error of a body that is no batch. It is thrown after the guards have run. */
  readonly fault?: Error;
  /**
   * Converts the reply before the commit. If it throws, nothing is written; nor if a result cannot be read.
   *
   * Absent if the reply is sent as it is.
   */
  readonly finish?: (reply: ApiReply) => ApiReply;
}

/**
 * Reads the list of a batch once, for the guards and for the parser, so that the guards check exactly what is executed.
 *
 * The list may be an array-like object whose `meta` applies to all operations, because existing clients send `{ ...array, meta }`.
 */
export function readRpcBatch(request: ApiRequest): RpcBatch {
  try {
    return { entries: readList(readJsonBody(request)) };
  } catch (fault) {
    return { entries: [], fault: fault as Error };
  }
}

function readList(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  if (!isPlainObject(body)) throw new ApiError('invalid-payload', EXPECTED);
  const { meta, ...entries } = body;
  const hasMetadata = isPlainObject(meta) && Object.hasOwn(meta, 'serialization');
  if (meta !== undefined && !hasMetadata) throw new ApiError('invalid-payload', EXPECTED);
  const revived = hasMetadata ? revive(entries, meta['serialization']) : entries;
  // JavaScript lists integer-like keys first and in ascending order, whatever their order in the JSON text.
  return Object.keys(revived).map((key, index) => {
    if (key !== String(index)) throw new ApiError('invalid-payload', EXPECTED);
    return revived[key];
  });
}

const EXPECTED = 'The body of a batch must be a list of operations: [{ "model": …, "op": …, "args": … }, …].';
