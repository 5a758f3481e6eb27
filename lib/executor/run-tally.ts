import { memberOf } from '../errors/member-of.js';
import { isWrite, type Query } from '../query/query.js';
import { isRows, rowsOf } from '../query/result.js';
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
  if (plan.kind === 'collection') return rowsOf(memberOf(results, 'rows')).length;
  if (plan.kind === 'call') return rowsOfQuery(plan.call.query, results);
  const writes = isWriting(plan);
  return callsOf(plan).reduce((sum, { query }, index) => {
    return writes && !isWrite(query) ? sum : sum + rowsOfQuery(query, memberOf(results, String(index)));
  }, 0);
}

/** Returns the number of rows of a result: those of a list, or the one that it is, or those that a bulk write has changed. */
function rowsOfQuery({ kind }: Query, result: unknown): number {
  const changed = kind.endsWith('-many') && !isRows(result) ? memberOf(result, 'count') : undefined;
  return typeof changed === 'number' ? changed : rowsOf(result).length;
}
