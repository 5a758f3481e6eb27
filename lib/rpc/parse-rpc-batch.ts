import { ApiError } from '../errors/api-error.js';
import { didYouMean } from '../errors/did-you-mean.js';
import { cut } from '../errors/quote.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApiRequest } from '../http/api-request.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { inBatch } from './in-batch.js';
import { parseSearch, reviveArgument } from './parse-argument.js';
import { findResource, requireOperation, requireVerb, type RpcCall } from './parse-rpc-call.js';
import { readRpcBatch } from './read-rpc-batch.js';
import { RPC_BATCH } from './protocol/rpc-operations.js';

/**
 * Parses a batch, `[{ model, op, args }, …]`, in the order of execution. Each `args` may have its own `meta.serialization`.
 *
 * @param batch the list that the guards have received
 * @throws ApiError with the index of the invalid operation
 */
export function parseRpcBatch(model: ResourceModel, request: ApiRequest, batch = readRpcBatch(request)): readonly RpcCall[] {
  requireVerb(RPC_BATCH, request.method);
  if (Object.keys(parseSearch(request.search)).length > 0) {
    throw new ApiError('unsupported-parameter', 'A batch is in the request body; q and meta must be absent.');
  }
  const { entries, fault } = batch;
  if (fault !== undefined) throw fault;
  if (entries.length === 0) throw new ApiError('invalid-payload', 'The batch has no operations.');
  return inBatch(entries, (entry) => parseEntry(model, entry));
}

function parseEntry(model: ResourceModel, entry: unknown): RpcCall {
  if (!isPlainObject(entry)) throw new ApiError('invalid-payload', 'An operation must be an object of model, op and args.');
  const stranger = Object.keys(entry).find((key) => !MEMBERS.includes(key));
  if (stranger !== undefined) {
    throw new ApiError('invalid-payload', `Unknown member ${cut(stranger)} of an operation.${didYouMean(stranger, MEMBERS)}`);
  }
  const { model: name, op, args = {}, ifMatch } = entry;
  if (typeof name !== 'string' || typeof op !== 'string')
    throw new ApiError('invalid-payload', 'An operation needs model and op, as strings.');
  if (!isPlainObject(args)) throw new ApiError('invalid-payload', 'The args of an operation must be an object.');
  if (ifMatch !== undefined && typeof ifMatch !== 'string')
    throw new ApiError('invalid-payload', 'The ifMatch of an operation must be a string.');
  const call = { resource: findResource(model, name), operation: requireOperation(op), args: reviveArgument(args) };
  return ifMatch === undefined ? call : { ...call, ifMatch };
}

const MEMBERS: readonly string[] = RPC_BATCH.members;
