import { batchFindUnique } from '../executor/batch-find-unique.js';
import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import { executorWithDeadline } from '../executor/executor-with-deadline.js';
import type { Run } from '../executor/run.js';
import { executorWithVisibleReferences } from '../rules/enforce-visible-references.js';
import { FoundRows } from '../rules/rows.js';
import type { RecordedTransaction } from './recorded-transaction.js';

/**
 * Wraps the executor of Prisma or of SQL for a run. This is the order of all wrappers, and each query passes them from the last to the first.
 *
 * @param batchedOn the client whose look-ups by key are batched, if they are
 */
export function executorForRun(run: Run, host: Executor, batchedOn?: DataClient, recorded?: RecordedTransaction): Executor {
  const { plan, isWrite, isBound, storage, enforcement, deadline, tally } = run;
  let executor = executorWithDeadline(host, deadline);
  if (batchedOn) executor = batchFindUnique(executor, batchedOn, tally);
  if (recorded) executor = recorded.wrap(executor);
  if (isWrite && isBound) executor = executorWithVisibleReferences(executor, storage, FoundRows.of(plan));
  return enforcement.wrap(executor);
}
