import { type TransactionPlan } from '../data-client/plan.js';
import { ApiError } from '../errors/api-error.js';
import { type Limits } from '../model/limits.js';
import { inBatch } from './in-batch.js';
import { type RpcCall } from './parse-rpc-call.js';
import { planDataCall } from './plan-rpc-call.js';

/**
 * Plans a batch as one transaction: all of its operations or none. Each has limits of its own; how many there are is limited too.
 *
 * @throws ApiError with the index of the operation that is wrong, before any SQL
 */
export function planRpcBatch(calls: readonly RpcCall[], limits: Limits): TransactionPlan {
  requireBatchSize(calls.length, limits);
  return { kind: 'transaction', calls: inBatch(calls, (call) => planDataCall(call, limits)) };
}

/** Refuses a batch of too many operations. */
export function requireBatchSize(size: number, { maxBatchSize }: Limits): void {
  if (size <= maxBatchSize) return;
  throw new ApiError('limit-exceeded', `The batch has ${size} operations; limits.maxBatchSize allows ${maxBatchSize}.`);
}
