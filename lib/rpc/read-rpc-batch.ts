import { ApiError } from '../errors/api-error.js';
import type { ApiRequest } from '../http/api-request.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { readJsonBody, revive } from './parse-argument.js';

/** The operations of a batch as the client wrote them, their values revived. Whether they are operations is for the parser to say. */
export interface RpcBatch {
  readonly entries: readonly unknown[];
  /** Why the body holds no batch; to be thrown once guards have been asked. */
  readonly fault?: Error;
}

/**
 * Reads the list of a batch: once, for guards and for the parser, so that what is allowed is what runs.
 *
 * The list may come as an array-like object whose `meta` speaks of all operations: that is what `{ ...array, meta }` is in the clients that
 * exist.
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
  // Integer-like keys come first and in ascending order, whatever the order in JSON.
  return Object.keys(revived).map((key, index) => {
    if (key !== String(index)) throw new ApiError('invalid-payload', EXPECTED);
    return revived[key];
  });
}

const EXPECTED = 'The body of a batch must be a list of operations: [{ "model": …, "op": …, "args": … }, …].';
