import type { ApiError } from '../errors/api-error.js';
import type { Storage } from '../model/storage/storage.js';
import type { DataClient } from './data-client.js';
import type { Executor } from './executor.js';
import type { Plan, RuledPlan } from './plan.js';
import type { RunRules } from './run-plan.js';
import type { Waiting } from './deadline.js';

/**
 * One plan on its way to the database. The plan runner makes it once, the stages of preparation return changed copies of it, and everything between
 * them and the database takes it whole. Its members are always there, so that copies replace members and add none: all runs have one hidden class.
 */
export interface Run {
  readonly plan: Plan;
  /** Whether any query of the plan writes. */
  readonly isWrite: boolean;
  readonly storage: Storage;
  /** The data client of the request. */
  readonly client: DataClient;
  /** Whether the client is bound to its caller by policies of the database, which may hide rows. */
  readonly isBound: boolean;
  readonly ruled: RuledPlan;
  readonly deadline: RunDeadline;
  /** Milliseconds that one statement may take; undefined without a limit. */
  readonly timeout: number | undefined;
  /** Called when a connection does not limit the time of its statements by itself. */
  readonly onUntimed: () => void;
  readonly size: ResponseLimit;
  /** Whether its reads may share a round trip, or a total, with those of other requests (`shareReads`). */
  readonly isShared: boolean;
  /** Renders the response to a write, before the commit. Undefined for reads, and for plans whose caller renders nothing. */
  readonly render: ((results: unknown) => Promise<unknown>) | undefined;
  /** Whether the write keeps a record of itself in its transaction (`Idempotency-Key`). */
  readonly isRecorded: boolean;
  /** Makes the executor of Prisma's client for this run, with all its wrappers. */
  readonly prisma: () => PrismaRun;
}

/** The deadline of one request. */
export interface RunDeadline extends Waiting {
  /** Called before a commit, or when a statement that writes is sent: from then on the write may be stored. */
  readonly onCommit: () => void;
  /** Called when the database has refused the write after that. */
  readonly onUndone: () => void;
}

/** The limit for the size of a response (`limits.maxResponseSize`). */
export interface ResponseLimit {
  readonly bytes: number;
  /** Makes the error for a larger response. */
  readonly tooLarge: () => ApiError;
}

/** The executor of Prisma's client for one run, and how its transactions run. */
export interface PrismaRun {
  readonly executor: Executor;
  readonly rules: RunRules;
}
