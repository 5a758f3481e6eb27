import { commitsAlone } from '../executor/commits-alone.js';
import { isAlwaysQuick } from '../executor/cost-class.js';
import type { StatementTimeouts, TimedClient } from '../executor/client/statement-timeout.js';
import { withoutRules } from '../executor/plan.js';
import type { prismaExecutor } from '../executor/prisma-executor.js';
import type { PrismaRun, Run } from '../executor/run.js';
import type { RunOptions } from '../executor/run-plan.js';
import type { Deadline } from '../executor/deadline.js';
import { READ_COMMITTED, setsIsolation } from '../executor/transactions.js';
import type { Storage } from '../model/storage/storage.js';
import { executorForRun } from './execute-run.js';

/** Creates, for each run that Prisma executes, the executor of its client and the options of its transaction. */
export class PrismaRuns {
  readonly #transactionOptions: RunOptions['options'];
  /** Whether writes need READ COMMITTED: at MySQL's default, a look-up after a row lock misses rows that others have committed. */
  readonly #rereads: boolean;
  /** ZenStack 3 treats `_count` in the `select` of a write as a field, and fails: "Field "_count" not found". */
  readonly #readsCountsAfter: boolean;

  constructor(
    private readonly executorOf: typeof prismaExecutor,
    private readonly timeouts: StatementTimeouts,
    { provider, orm }: Pick<Storage, 'provider' | 'orm'>,
    maxDuration: number,
  ) {
    this.#transactionOptions = Number.isFinite(maxDuration) ? { maxWait: maxDuration } : undefined;
    this.#rereads = provider === 'mysql' && orm === 'prisma';
    this.#readsCountsAfter = orm === 'zenstack';
  }

  /** Creates the executor of a run with all its wrappers, and the options of its plan. */
  readonly create = (run: Run): PrismaRun => {
    const { sharesReads, recorded } = run;
    const timed = this.timeouts.bind(run.client);
    const executor = this.executorOf(timed.client, { batchesFinds: sharesReads });
    const options = { ...this.#optionsOf(run, timed), commitsAlone: run.isWrite && commitsAlone(run, timed) };
    return {
      executor: executorForRun(run, executor, sharesReads ? timed.client : undefined),
      options: recorded ? recorded.options(options) : options,
    };
  };

  /** Returns the options of a transaction in which a function of the application writes. */
  optionsOfWork(timed: TimedClient, deadline: Deadline): RunOptions {
    return this.#optionsOf({ isWrite: true, deadline, enforcement: withoutRules(undefined), renderReply: undefined }, timed);
  }

  #optionsOf(
    { isWrite, enforcement, deadline, renderReply }: Pick<Run, 'isWrite' | 'enforcement' | 'deadline' | 'renderReply'>,
    { client, prepare, wrapsReads }: TimedClient,
  ): RunOptions {
    const rereads = enforcement.writeMode !== 'direct' && this.#rereads && !setsIsolation(client);
    return {
      isWrite,
      wrapsReads: wrapsReads && !isWrite && !(enforcement.sqlPlan && isAlwaysQuick(enforcement.sqlPlan)),
      readsCountsAfter: this.#readsCountsAfter,
      deadline,
      ...(prepare && { prepare }),
      options: { ...this.#transactionOptions, ...(rereads && READ_COMMITTED) },
      ...(renderReply && { renderReply }),
    };
  }
}
