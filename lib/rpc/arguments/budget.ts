import type { CallCost } from '../../limits/measure-cost.js';
import type { Storage } from '../../model/storage/storage.js';
import type { Limits } from '../../model/limits.js';

/** The limits of a request, and how much of them it has used. The operations of a batch share one budget. */
export interface Budget {
  readonly limits: Limits;
  /** Whether the request is a batch, whose results are limited together. */
  readonly isBatch: boolean;
  readonly storage: Storage;
  /** These counters increase while arguments are parsed, so that parsing stops at a limit. */
  terms: number;
  records: number;
  values: number;
  /** The costs of the calls planned so far. */
  readonly costs: CallCost[];
}

export function startBudget(limits: Limits, storage: Storage, { isBatch = false }: { readonly isBatch?: boolean } = {}): Budget {
  return { limits, isBatch, storage, terms: 0, records: 0, values: 0, costs: [] };
}
