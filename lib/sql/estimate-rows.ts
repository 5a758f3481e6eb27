import type { Executor } from '../data-client/executor.js';
import type { DataCall } from '../data-client/plan.js';
import { memberOf } from '../errors/member-of.js';
import { selectFields } from '../query/fields.js';
import { rowKey } from '../query/key.js';
import { type CountRows, findMany } from '../query/read.js';
import type { PlanCompiler } from './plan-compiler.js';

/**
 * How many rows PostgreSQL's planner expects of a count: of the same condition, under the role of the client. Statistics of the table alone would
 * count rows that the caller may not see.
 *
 * @returns undefined where the planner cannot be asked
 */
export async function estimateRows({ sql }: Executor, count: DataCall<CountRows>, compiler: PlanCompiler): Promise<number | undefined> {
  const compiled = compiler.compile({ kind: 'call', call: selectCountedKeys(count) });
  if (!sql || 'reason' in compiled) return undefined;
  const [row] = await sql(`EXPLAIN (FORMAT JSON) ${compiled.text}`, compiled.values);
  const [plan] = [memberOf(row, 'QUERY PLAN')].flat();
  const expected = memberOf(memberOf(plan, 'Plan'), 'Plan Rows');
  return typeof expected === 'number' ? Math.round(expected) : undefined;
}

/** The rows that are counted, by their keys: the plan of a count has one row. */
function selectCountedKeys({ query: { model, where } }: DataCall<CountRows>): DataCall {
  return { query: findMany({ model, where, selection: selectFields(model, rowKey(model).fields) }) };
}
