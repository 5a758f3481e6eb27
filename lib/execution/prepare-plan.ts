import type { Plan } from '../data-client/plan.js';
import { isWriting } from '../data-client/run-plan.js';
import type { Storage } from '../model/storage/storage.js';
import { isContested, openPlan } from '../rules/contested.js';
import { type CallersExchange, type RowRules, type RuledPlan, unruled } from '../rules/row-rules.js';
import { withRequirements, withVersions } from '../versions/with-versions.js';

interface PlanSetting {
  /** Null where the application has neither rules nor hooks, and no model has soft delete. */
  readonly rules: RowRules | null;
  readonly request: CallersExchange;
  readonly storage: Storage;
  /** How many rows one write may find (`limits.maxTake`). */
  readonly maxRows: number;
}

interface PreparedPlan {
  readonly plan: Plan;
  readonly ruled: RuledPlan;
}

/**
 * Prepares a plan for its caller: which executor keeps its conditions until it writes, and counts versions. Prisma itself does, or one statement of
 * SQL, unless there are rules or hooks, or a condition that Prisma would not keep.
 */
export async function preparePlan(given: Plan, { rules, request, storage, maxRows }: PlanSetting): Promise<PreparedPlan> {
  if (!isWriting(given)) return { plan: given, ruled: (await rules?.of(given, request)) ?? unruled(given) };
  const plan = withRequirements(given);
  const ruled = (await rules?.of(plan, request)) ?? unruled(plan);
  if (ruled.writes !== 'open') return { plan, ruled };
  if (isContested(given)) return { plan, ruled: openPlan(plan, { storage, maxRows }) };
  const counted = withVersions(given, storage);
  return { plan: counted, ruled: unruled(counted) };
}
