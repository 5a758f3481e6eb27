import type { CallPlan, CollectionPlan, CollectionResult, Plan } from '../data-client/plan.js';
import type { DataClient } from '../data-client/data-client.js';
import { ALL_OPERATIONS, extendedOperations } from '../data-client/extensions-of.js';
import { countRows } from '../query/read.js';
import type { SqlContext } from '../sql/answer-plan.js';
import { estimateRows } from '../sql/estimate-rows.js';
import type { PlanCompiler } from '../sql/plan-compiler.js';

/** How a total is estimated for its caller. */
export interface Estimating extends Pick<SqlContext, 'timed'> {
  /** The client of the request. */
  readonly client: DataClient;
  /** The plan with the rules of its caller among its arguments, where these say all. */
  readonly ruled: Plan | undefined;
  readonly compiler: () => PlanCompiler;
  readonly run: (plan: CallPlan) => Promise<unknown>;
}

/**
 * Replaces a total that was counted up to its limit only by what the planner expects, under the role and the rules of the caller; where it cannot be
 * asked, by the exact number.
 */
export async function estimateTotal(
  { rows, total: counted }: CollectionResult,
  { total, exactUpTo = Infinity }: CollectionPlan,
  { client, ruled, compiler, timed, run }: Estimating,
): Promise<CollectionResult> {
  if (!total || counted === undefined || counted <= exactUpTo) return { rows, total: counted };
  const count = ruled?.kind === 'collection' && !countsByHook(client) ? ruled.total : undefined;
  const expected = count && (await estimateRows(timed().executor, count, compiler()));
  if (expected !== undefined) return { rows, total: undefined, estimate: Math.max(expected, counted) };
  const { model, where } = total.query;
  return { rows, total: Number(await run({ kind: 'call', call: { query: countRows({ model, where }) } })) };
}

/** Whether an extension hooks or overrides counts of models, which an estimate would bypass: `EXPLAIN` is a raw query. */
function countsByHook(client: DataClient): boolean {
  return (extendedOperations(client) ?? []).some(
    ({ model, operation }) => model !== undefined && (operation === 'count' || operation === ALL_OPERATIONS),
  );
}
