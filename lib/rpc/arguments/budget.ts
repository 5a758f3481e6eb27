import type { CallCost } from '../../limits/measure-cost.js';
import type { Storage } from '../../model/storage/storage.js';
import type { Limits } from '../../model/limits.js';

/** What a request has used up of its limits; the operations of a batch share one. */
export interface Budget {
  readonly limits: Limits;
  /** Whether the request is a batch, whose results are limited together. */
  readonly isBatch: boolean;
  readonly storage: Storage;
  /** While arguments are walked, so that the walk ends where they are too wide. */
  terms: number;
  records: number;
  values: number;
  /** Of the calls planned so far. */
  readonly costs: CallCost[];
}

export function startBudget(limits: Limits, storage: Storage, { isBatch = false }: { readonly isBatch?: boolean } = {}): Budget {
  return { limits, isBatch, storage, terms: 0, records: 0, values: 0, costs: [] };
}
