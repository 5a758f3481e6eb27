import type { ApiError } from '../errors/api-error.js';
import type { Storage } from '../model/storage/storage.js';
import type { DataClient } from './data-client.js';
import type { Executor } from './executor.js';
import type { Plan, Enforcement } from './plan.js';
import type { RunOptions } from './run-plan.js';
import type { RunTally } from './run-tally.js';
import type { Deadline } from './deadline.js';

/**
 * One plan on its way to the database. The plan runner creates it, the stages return changed copies of it, and the executors receive it whole. Every
 * run has all members, because objects with one hidden class are faster in V8.
 */
export interface Run {
  readonly plan: Plan;
  /** Whether any query of the plan writes. */
  readonly isWrite: boolean;
  readonly storage: Storage;
  /** The data client of the request. */
  readonly client: DataClient;
  /** Whether policies of the database bind the client to its caller, and may hide rows. */
  readonly isBound: boolean;
  readonly enforcement: Enforcement;
  readonly deadline: Deadline;
  /** Time limit of one statement in milliseconds; undefined without a limit. */
  readonly timeout: number | undefined;
  /** Called when a connection has no sufficient `statement_timeout`. */
  readonly onUntimed: () => void;
  readonly size: ResponseLimit;
  /** Whether the reads may share a round trip or a total with other requests (`shareReads`). */
  readonly sharesReads: boolean;
  /** Renders the response to a write, before the commit. Undefined for reads, and for plans whose caller renders nothing. */
  readonly renderReply: ((results: unknown) => Promise<unknown>) | undefined;
  /** Stores an idempotency record in the transaction of a write (`Idempotency-Key`); undefined for reads, and without a key. */
  readonly recorded: TransactionRecord | undefined;
  /** Receives what the run costs; undefined unless the span of its operation is recorded. */
  readonly tally: RunTally | undefined;
  /** Creates what Prisma executes a run with. All runs have the same function (`PrismaRuns.create` of `lib/run/prisma-runs.ts`). */
  readonly createPrismaRun: (run: Run) => PrismaRun;
}

/** An idempotency record, which the transaction of a write stores with it. */
export interface TransactionRecord {
  wrap(executor: Executor): Executor;
  options(options: RunOptions): RunOptions;
}

/** The limit for the size of a response (`limits.maxResponseSize`). */
export interface ResponseLimit {
  readonly bytes: number;
  /** Creates the error for a larger response. */
  readonly tooLarge: () => ApiError;
}

/** The executor of Prisma's client for one run, and how its transactions run. */
export interface PrismaRun {
  readonly executor: Executor;
  readonly options: RunOptions;
}
