import type { DataClient } from '../executor/data-client.js';
import { ALL_OPERATIONS, extendedOperations } from '../executor/client/extensions-of.js';
import type { Executor } from '../executor/executor.js';
import type { CollectionPlan, CollectionResult, DataCall } from '../executor/plan.js';
import type { Run } from '../executor/run.js';
import { memberOf } from '../errors/member-of.js';
import { selectFields } from '../query/fields.js';
import { rowKey } from '../query/key.js';
import { type CountRows, countRows, findMany } from '../query/read.js';
import type { PlanCompiler } from '../sql/plan-compiler.js';
import { executeByPrisma } from './execute-run.js';

/**
 * Replaces a total that was counted only up to its limit by the estimate of PostgreSQL's planner. The estimate applies the role and the rules of the
 * caller. If there is no estimate, the rows are counted exactly.
 */
export async function estimateTotal(
  { rows, total: counted }: CollectionResult,
  { total, exactUpTo = Infinity }: CollectionPlan,
  run: Run,
  compiler: () => PlanCompiler,
): Promise<CollectionResult> {
  if (!total || counted === undefined || counted <= exactUpTo) return { rows, total: counted };
  const { sqlPlan } = run.enforcement;
  const count = sqlPlan?.kind === 'collection' && !hooksCounts(run.client) ? sqlPlan.total : undefined;
  const expected = count && (await estimateRows(run.createPrismaRun(run).executor, count, compiler()));
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

/**
 * Estimates the result of a count with PostgreSQL's planner, for the same condition and under the role of the client. The statistics of the table
 * alone would include hidden rows.
 *
 * @returns undefined if the client has no raw SQL, or if the SQL compiler declines the query
 */
async function estimateRows({ sql }: Executor, count: DataCall<CountRows>, compiler: PlanCompiler): Promise<number | undefined> {
  const compiled = compiler.compile({ kind: 'call', call: selectCountedKeys(count) });
  if (!sql || 'reason' in compiled) return undefined;
  const [row] = await sql(`EXPLAIN (FORMAT JSON) ${compiled.text}`, compiled.values);
  const [plan] = [memberOf(row, 'QUERY PLAN')].flat();
  const expected = memberOf(memberOf(plan, 'Plan'), 'Plan Rows');
  return typeof expected === 'number' ? Math.round(expected) : undefined;
}

/** Compiles a query for the keys of the counted rows, because the plan of a count itself has one row. */
function selectCountedKeys({ query: { model, where } }: DataCall<CountRows>): DataCall {
  return { query: findMany({ model, where, selection: selectFields(model, rowKey(model).fields) }) };
}
