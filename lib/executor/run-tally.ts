import { isWrite, type Query } from '../query/query.js';
import type { Affected, ResultOf } from '../query/result.js';
import { callsOf, isWriting, type Plan, type ResultsOf } from './plan.js';

/** The engine that has executed a plan. */
export type Engine = 'sql' | 'prisma';

/** What the plans of one operation cost, for its span. Each operation has its own. */
export class RunTally {
  /** The engine of the last plan; undefined before the first. */
  engine: Engine | undefined;
  /**
   * The number of SQL statements that this package has sent, without those that begin, bind, limit and end transactions. Those that Prisma sends
   * cannot be counted for one request.
   */
  statements = 0;
  /** The number of rows that were read, or in a plan that writes, the number that were written, without related rows; undefined before the first plan. */
  rows: number | undefined;
  /** The filter terms and joins of the plans, as `limits` counts them; undefined where nothing is limited. */
  cost: number | undefined;
  /** Whether a statement has shared its round trip or its total with other requests. */
  isShared = false;
}

/**
 * Adds the rows of the results of a plan to a tally.
 *
 * @returns the results
 */
export function addRows<P extends Plan>(tally: RunTally | undefined, plan: P, results: unknown): ResultsOf<P> {
  if (tally) tally.rows = (tally.rows ?? 0) + rowsOfPlan(plan, results);
  return results as ResultsOf<P>;
}

function rowsOfPlan(plan: Plan, results: unknown): number {
  // The types of results depend on the plan, which is known only here.
  if (plan.kind === 'collection') return (results as { readonly rows: readonly unknown[] }).rows.length;
  if (plan.kind === 'call') return rowsOfQuery(plan.call.query, results as ResultOf<Query>);
  const writes = isWriting(plan);
  return callsOf(plan).reduce((sum, { query }, index) => {
    return writes && !isWrite(query) ? sum : sum + rowsOfQuery(query, (results as readonly ResultOf<Query>[])[index] ?? null);
  }, 0);
}

function rowsOfQuery({ kind }: Query, result: ResultOf<Query>): number {
  if (Array.isArray(result)) return result.length;
  if (result === null || typeof result === 'number') return 0;
  return kind.endsWith('-many') ? (result as Affected).count : 1;
}
