import type { DataClient } from '../data-client/data-client.js';
import { ALL_OPERATIONS, extendedOperations } from '../data-client/extensions-of.js';
import type { CollectionPlan, CollectionResult } from '../data-client/plan.js';
import type { Run } from '../data-client/run.js';
import { countRows } from '../query/read.js';
import { estimateRows } from '../sql/estimate-rows.js';
import type { PlanCompiler } from '../sql/plan-compiler.js';
import { executeByPrisma } from './execute-run.js';

/**
 * Replaces a total that was counted only up to its limit by the estimate of PostgreSQL's planner, with the role and the rules of the caller; where
 * there is no estimate, by the exact number.
 */
export async function estimateTotal(
  { rows, total: counted }: CollectionResult,
  { total, exactUpTo = Infinity }: CollectionPlan,
  run: Run,
  compiler: () => PlanCompiler,
): Promise<CollectionResult> {
  if (!total || counted === undefined || counted <= exactUpTo) return { rows, total: counted };
  const { reads } = run.ruled;
  const count = reads?.kind === 'collection' && !hooksCounts(run.client) ? reads.total : undefined;
  const expected = count && (await estimateRows(run.prisma().executor, count, compiler()));
  if (expected !== undefined) return { rows, total: undefined, estimate: Math.max(expected, counted) };
  const { model, where } = total.query;
  return { rows, total: Number(await executeByPrisma(run, { kind: 'call', call: { query: countRows({ model, where }) } })) };
}

/** Whether an extension hooks or overrides counts of models. An estimate would bypass it, because `EXPLAIN` is a raw query. */
function hooksCounts(client: DataClient): boolean {
  return (extendedOperations(client) ?? []).some(
    ({ model, operation }) => model !== undefined && (operation === 'count' || operation === ALL_OPERATIONS),
  );
}
