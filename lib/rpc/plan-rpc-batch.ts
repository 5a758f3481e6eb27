import type { TransactionPlan } from '../executor/plan.js';
import { ApiError } from '../errors/api-error.js';
import type { Storage } from '../model/storage/storage.js';
import type { Limits } from '../model/limits.js';
import { startBudget } from './arguments/argument-path.js';
import { inBatch } from './in-batch.js';
import type { RpcCall } from './parse-rpc-call.js';
import { planDataCall } from './plan-rpc-call.js';

/**
 * Plans a batch as one transaction: all of its operations or none. The operations share the limits of one request, and their number is limited as
 * well.
 *
 * @throws ApiError with the index of the invalid operation, before any SQL
 */
export function planRpcBatch(calls: readonly RpcCall[], limits: Limits, storage: Storage): TransactionPlan {
  const refusal = refuseBatchSize(calls.length, limits);
  if (refusal) throw refusal;
  const budget = startBudget(limits, storage, { isBatch: true });
  const detail = `The operations found more rows together than limits.maxTake allows: ${limits.maxTake}.`;
  const limit = { rows: limits.maxTake, problem: { code: 'limit-exceeded', detail } } as const;
  const planned = inBatch(calls, (call) => planDataCall(call, budget));
  return { kind: 'transaction', calls: planned, ...(planned.some(({ expect }) => expect) && { limit }) };
}

/** Returns the error for a batch with too many operations; undefined if their number is within the limit. */
export function refuseBatchSize(size: number, { maxBatchSize }: Limits): ApiError | undefined {
  if (size <= maxBatchSize) return undefined;
  return new ApiError('limit-exceeded', `The batch has ${size} operations; limits.maxBatchSize allows ${maxBatchSize}.`);
}
