import { ApiError, type Problem } from '../errors/api-error.js';
import { FailedCallError } from '../errors/failed-call-error.js';
import { withCallIndex } from '../errors/with-call-index.js';
import { type DataClient, type Delegate } from './data-client.js';
import { countListed } from './count-listed.js';
import { countRelated } from './count-related.js';
import { missingRecords } from './missing-records.js';
import { type AtMost, type DataCall, type Expectation, type Plan, type PlanResults } from './plan.js';

/**
 * Runs a plan on the request's data client: meaning becomes rows. The only place that calls the host's client.
 *
 * @throws ApiError when a call does not meet its expectation; then nothing of the plan is written
 * @throws FailedCallError when one of several calls of a transaction fails
 * @throws whatever the data layer throws
 */
export async function runPlan<P extends Plan>(client: DataClient, plan: P): Promise<PlanResults[P['kind']]>;
export async function runPlan(client: DataClient, plan: Plan): Promise<PlanResults[Plan['kind']]> {
  switch (plan.kind) {
    case 'call':
      return plan.undo ? inTransaction(client, (open) => runCall(open, plan.call)) : runCall(client, plan.call);
    case 'collection': {
      const total = plan.total && runCall(client, plan.total);
      const [rows, count] = await Promise.all([runCall(client, plan.rows), total]);
      return { rows: rows as readonly unknown[], total: count as number | undefined };
    }
    case 'transaction':
      return runTransaction(client, plan.calls);
  }
}

function runTransaction(client: DataClient, calls: readonly DataCall[]): Promise<readonly unknown[]> {
  // One call is atomic by itself, until its result is looked at.
  if (calls.length === 1 && !calls[0]?.expect) return runInOrder(client, calls);
  return inTransaction(client, (open) => runInOrder(open, calls));
}

async function inTransaction<Result>(client: DataClient, run: (open: DataClient) => Promise<Result>): Promise<Result> {
  const transaction: unknown = Reflect.get(client, '$transaction');
  // A client without `$transaction` is one that the host has already put into a transaction, or a test's fake.
  if (typeof transaction !== 'function') return run(client);
  return (transaction as (run: (open: DataClient) => Promise<Result>) => Promise<Result>).call(client, run);
}

async function runInOrder(client: DataClient, calls: readonly DataCall[]): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const [index, call] of calls.entries()) {
    results.push(await runNumbered(client, call, index));
  }
  return results;
}

async function runNumbered(client: DataClient, call: DataCall, index: number): Promise<unknown> {
  try {
    return await runCall(client, call);
  } catch (error) {
    throw error instanceof ApiError ? withCallIndex(error, index) : new FailedCallError(index, error);
  }
}

async function runCall(client: DataClient, call: DataCall): Promise<unknown> {
  const delegate = Reflect.get(client, call.delegate) as Delegate | undefined;
  const operation = delegate?.[call.operation];
  if (operation === undefined) throw new TypeError(`The data client has no ${call.delegate}.${call.operation}().`);
  const result = await operation.call(delegate, call.args);
  if (call.expect) requireMet(call.expect, result);
  return result;
}

type Row = Readonly<Record<string, unknown>>;

function requireMet(expectation: Expectation, result: unknown): void {
  const problems = problemsOf(expectation, result);
  if (problems.length > 0) throw ApiError.of(problems);
}

function problemsOf(expectation: Expectation, result: unknown): readonly Problem[] {
  const rows = result as readonly Row[];
  switch (expectation.kind) {
    case 'all-found':
      return missingRecords(expectation.wanted, rows).map(({ detail, source }) => ({
        code: 'not-found',
        detail,
        ...(source && { source }),
      }));
    case 'none-found':
      return rows.length > 0 ? [expectation.problem] : [];
    case 'at-most':
      return isMore(result, expectation) ? [expectation.problem] : [];
    case 'related-at-most':
      return countRelated(result, expectation.related) > expectation.rows ? [expectation.problem] : [];
  }
}

function isMore(result: unknown, { rows, lists = {} }: AtMost): boolean {
  const found: readonly unknown[] = Array.isArray(result) ? result : [result];
  return found.length > rows || found.reduce((sum: number, row) => sum + countListed(row, lists), 0) > rows;
}
