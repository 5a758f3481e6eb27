import { isBound } from '../data-client/bound-client.js';
import type { DataClient } from '../data-client/data-client.js';
import type { Plan } from '../data-client/plan.js';
import { isWriting } from '../data-client/run-plan.js';
import type { Storage } from '../model/storage/storage.js';
import { referringExecutor } from '../rules/referring-executor.js';
import { checksOf, type RuledPlan } from '../rules/row-rules.js';
import { KnownRows } from '../rules/rows.js';

/** The rows that a client does not show to its caller are not referred to either. */
export function asBound(
  client: DataClient,
  ruled: RuledPlan,
  { storage, plan }: { readonly storage: Storage; readonly plan: Plan },
): RuledPlan {
  if (!isWriting(plan) || !isBound(client)) return ruled;
  return { ...ruled, asCaller: (host) => ruled.asCaller(referringExecutor(host, storage, new KnownRows(checksOf(plan)))) };
}
