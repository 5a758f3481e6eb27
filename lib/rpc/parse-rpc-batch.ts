import { ApiError } from '../errors/api-error.js';
import { didYouMean } from '../errors/did-you-mean.js';
import { cut } from '../errors/quote.js';
import { type ResourceModel } from '../model/resource-model.js';
import { type ApiRequest } from '../platform/api-request.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { inBatch } from './in-batch.js';
import { readJsonBody, revive, reviveArgument } from './parse-argument.js';
import { findResource, requireOperation, requireVerb, type RpcCall } from './parse-rpc-call.js';
import { parseSearch } from './parse-search.js';
import { RPC_BATCH } from './rpc-operations.js';

/**
 * Reads a batch, `[{ model, op, args }, …]`, in the order in which it is to run. Each `args` may carry its own `meta.serialization`. The
 * array may come as an array-like object whose `meta` speaks of all operations: that is what `{ ...array, meta }` is in the clients that exist.
 *
 * @throws ApiError with the index of the operation that is wrong
 */
export function parseRpcBatch(model: ResourceModel, request: ApiRequest): readonly RpcCall[] {
  requireVerb(RPC_BATCH, request.method);
  if (Object.keys(parseSearch(request.search)).length > 0) {
    throw new ApiError('unsupported-parameter', 'A batch is in the request body; q and meta must be absent.');
  }
  return inBatch(readList(readJsonBody(request)), (entry) => parseEntry(model, entry));
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

function parseEntry(model: ResourceModel, entry: unknown): RpcCall {
  if (!isPlainObject(entry)) throw new ApiError('invalid-payload', 'An operation must be an object of model, op and args.');
  const stranger = Object.keys(entry).find((key) => !MEMBERS.includes(key));
  if (stranger !== undefined) {
    throw new ApiError('invalid-payload', `Unknown member ${cut(stranger)} of an operation.${didYouMean(stranger, MEMBERS)}`);
  }
  const { model: name, op, args = {} } = entry;
  if (typeof name !== 'string' || typeof op !== 'string')
    throw new ApiError('invalid-payload', 'An operation needs model and op, as strings.');
  if (!isPlainObject(args)) throw new ApiError('invalid-payload', 'The args of an operation must be an object.');
  return { resource: findResource(model, name), operation: requireOperation(op), args: reviveArgument(args) };
}

const MEMBERS: readonly string[] = RPC_BATCH.members;
