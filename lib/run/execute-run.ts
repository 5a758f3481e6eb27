import type { Plan } from '../executor/plan.js';
import type { Run } from '../executor/run.js';
import { runPlan } from '../executor/run-plan.js';
import { executeRead } from '../sql/execute-read.js';
import { executeWrite } from '../sql/execute-write.js';
import { fallBack, sqlFor } from '../sql/fall-back.js';
import { batchFindUnique } from '../executor/batch-find-unique.js';
import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import { executorWithDeadline } from '../executor/deadline.js';
import { executorWithVisibleReferences } from '../rules/enforce-visible-references.js';
import { FoundRows } from '../rules/rows.js';

/**
 * Executes a run as SQL if its client supports it, and otherwise through Prisma. This is the only place where SQL falls back to Prisma.
 *
 * @throws what {@link runPlan} throws, and the errors of the database
 */
export async function executeRun(run: Run): Promise<unknown> {
  // The plan of a read in SQL has the conditions of the rules: no executor adds them.
  const plan = run.isWrite ? run.plan : run.enforcement.sqlPlan;
  const sql = plan && sqlFor(run, plan);
  if (!sql || (run.isWrite && !sql.setup.writes)) return executeByPrisma(run, run.plan);
  try {
    if (run.tally) run.tally.engine = 'sql';
    return await (run.isWrite ? executeWrite(run, sql, executorForRun) : executeRead(run, plan, sql));
  } catch (error) {
    fallBack(error, run, sql);
  }
  return executeByPrisma(run, run.plan);
}

/**
 * Executes a plan through Prisma.
 *
 * @param plan the plan of the run, or another read for the same caller
 */
export function executeByPrisma(run: Run, plan: Plan): Promise<unknown> {
  if (run.tally) run.tally.engine = 'prisma';
  const { executor, options } = run.createPrismaRun(run);
  return runPlan(executor, plan, options);
}

/**
 * Wraps the executor of Prisma or of SQL for a run. This is the order of all wrappers, and each query passes them from the last to the first.
 *
 * @param batchedOn the client whose look-ups by key are batched, if they are
 */
export function executorForRun(run: Run, executor: Executor, batchedOn?: DataClient): Executor {
  const { plan, isWrite, isBound, storage, enforcement, deadline, recorded, tally } = run;
  let wrapped = executorWithDeadline(executor, deadline);
  if (batchedOn) wrapped = batchFindUnique(wrapped, batchedOn, tally);
  if (recorded) wrapped = recorded.wrap(wrapped);
  if (isWrite && isBound) wrapped = executorWithVisibleReferences(wrapped, storage, FoundRows.of(plan));
  return enforcement.wrap(wrapped);
}
