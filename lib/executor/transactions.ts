import { FailedCallError } from '../errors/failed-call-error.js';
import { isConnectionLost } from '../errors/is-connection-lost.js';
import { anyDriverErrorOf } from '../errors/driver-error.js';
import { memberOf } from '../errors/member-of.js';
import { endsConnection } from '../errors/sql-state.js';
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';
import type { DataClient } from './data-client.js';
import type { Executor, Transaction, TransactionOptions } from './executor.js';
import type { Deadline } from './deadline.js';

/** Whether a client is in a transaction that the application has opened, and will end. */
export const isOpenTransaction: (client: DataClient) => boolean = memoizeByObject((client) => {
  // ZenStack's clients have `isTransaction`. Prisma's transaction clients have no `$connect`.
  if (memberOf(client, 'isTransaction') === true) return true;
  return typeof memberOf(client, '$queryRawUnsafe') === 'function' && typeof memberOf(client, '$connect') !== 'function';
});

/** Isolation level of writes that lock rows and look them up again. At REPEATABLE READ, MySQL would read its snapshot from before the lock. */
export const READ_COMMITTED: Pick<TransactionOptions, 'isolationLevel'> = { isolationLevel: 'ReadCommitted' };

/** Whether the application has set the isolation level of its client's transactions. */
export function setsIsolation(client: DataClient): boolean {
  return ['_engineConfig', 'transactionOptions', 'isolationLevel'].reduce<unknown>(memberOf, client) !== undefined;
}

/** How the transactions of one plan are run. */
export interface TransactOptions {
  /** Whether the work writes. If so, the outcome is unknown when the commit is not confirmed. */
  readonly isWrite?: boolean;
  readonly options?: TransactionOptions;
  /** Runs first in the transaction. */
  readonly prepare?: (open: Executor) => Promise<void>;
  /** Prevents the commit after the deadline, or after the client has disconnected. It is notified of the commit of a write. */
  readonly deadline?: Deadline;
  /** Whether an error means that the work is done, and only its result is missing. Then the work is committed. */
  readonly isDone?: (error: unknown) => boolean;
  /** Converts the result into the response before the commit, while the work can still be rolled back. */
  readonly renderReply?: (result: unknown) => Promise<unknown>;
}

type Work<Result> = (open: Executor) => Promise<Result>;

/**
 * Runs work in one transaction of an executor, which is committed or rolled back as a whole. An executor without transactions is in a transaction of
 * the application, or runs a statement that commits by itself. Then the work runs on the executor itself.
 *
 * @throws UnknownOutcomeError if the work is done, but the database has not confirmed the commit
 */
export function transact<Result>(executor: Executor, work: Work<Result>, settings: TransactOptions = {}): Promise<Result> {
  const { transaction } = executor;
  return transaction ? runCommitted(transaction, work, settings) : runUncommitted(executor, work, settings);
}

async function runUncommitted<Result>(
  executor: Executor,
  work: Work<Result>,
  { isWrite = false, deadline, renderReply }: TransactOptions,
): Promise<Result> {
  if (isWrite) deadline?.beginCommit();
  const result = await work(executor).catch((error: unknown) => {
    const cause = error instanceof FailedCallError ? error.cause : error;
    throw isWrite && mayBeStored(cause) ? new UnknownOutcomeError(error) : error;
  });
  try {
    return (renderReply ? await renderReply(result) : result) as Result;
  } catch (error) {
    // The application may roll it back. A statement that has committed by itself stays.
    throw isWrite ? new UnknownOutcomeError(error, 'unanswered') : error;
  }
}

async function runCommitted<Result>(transaction: Transaction, work: Work<Result>, settings: TransactOptions): Promise<Result> {
  const { isWrite = false, prepare, deadline, options } = settings;
  const progress: Progress = {};
  const whole = async (open: Executor): Promise<unknown> => {
    await prepare?.(open);
    const outcome = await outcomeOf(work(open), settings);
    deadline?.throwIfAborted();
    progress.outcome = outcome;
    if (isWrite) deadline?.beginCommit();
    return outcome.result;
  };
  const result = await transaction(whole, options).catch((error: unknown) => {
    throw isWrite && progress.outcome && !isRefusal(error) ? new UnknownOutcomeError(error) : error;
  });
  if (progress.outcome && 'error' in progress.outcome) throw progress.outcome.error;
  return result as Result;
}

interface Progress {
  /** The result of the work, once it is done. */
  outcome?: Outcome<unknown>;
}

interface Outcome<Result> {
  readonly result?: Result;
  readonly error?: unknown;
}

async function outcomeOf<Result>(work: Promise<Result>, { isDone, renderReply }: TransactOptions): Promise<Outcome<Result>> {
  let result: Result;
  try {
    result = await work;
  } catch (error) {
    if (isDone?.(error) === true) return { error };
    throw error;
  }
  return { result: (renderReply ? await renderReply(result) : result) as Result };
}

/** Whether an error of the database or of Prisma means that the transaction was not committed. */
function isRefusal(error: unknown): boolean {
  return codesOf(error).length > 0 && !mayBeStored(error);
}

/** Whether an error means that the connection has ended. The database may have committed before. */
function mayBeStored(error: unknown): boolean {
  return isConnectionLost(error) || codesOf(error).some((code) => endsConnection(code) && !NOT_CONNECTED.has(code));
}

/** The SQLSTATEs of a connection that the server has not accepted. */
const NOT_CONNECTED: ReadonlySet<string> = new Set(['08001', '08004', '57P03']);

function codesOf(error: unknown): readonly string[] {
  return [error, memberOf(error, 'cause'), anyDriverErrorOf(error)]
    .flatMap((one) => [memberOf(one, 'code'), memberOf(one, 'originalCode')])
    .filter((code) => typeof code === 'string');
}
