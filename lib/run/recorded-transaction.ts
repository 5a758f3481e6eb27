import type { Executor } from '../executor/executor.js';
import type { TransactionRecord } from '../executor/run.js';
import type { RunOptions } from '../executor/run-plan.js';
import { AccessDeniedError } from '../errors/access-denied-error.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { isResultNotReadable } from '../errors/is-result-not-readable.js';
import type { ApiReply, WriteRecord } from '../http/api-request.js';

/**
 * The transaction of a write with an `Idempotency-Key`. The application's own client writes the record, so that no rule of the caller applies to it.
 */
export class RecordedTransaction implements TransactionRecord {
  #open: Executor | undefined;

  constructor(private readonly record: WriteRecord) {}

  /**
   * Wraps the executor whose transaction stores the record.
   *
   * @throws ConfigurationError for an executor without transactions, because a record could be stored although its write is rolled back
   */
  wrap(executor: Executor): Executor {
    const { transaction } = executor;
    if (!transaction) throw withoutTransactions();
    return { ...executor, transaction: (work, options) => transaction((open) => work((this.#open = open)), options) };
  }

  /** Returns the options of the transaction. It begins and ends with the record, and is rolled back if there is no response to store. */
  options({ prepare, renderReply, ...others }: RunOptions): RunOptions {
    return {
      undoesUnreadable: true,
      prepare: async (open) => {
        await prepare?.(open);
        await this.record.begin(this.open);
      },
      renderReply: async (results) => {
        const reply = (renderReply ? await renderReply(results) : results) as ApiReply;
        await this.record.end(this.open, reply);
        return reply;
      },
      ...others,
    };
  }

  private get open(): Executor {
    if (!this.#open) throw new TypeError('A record is kept in a transaction, and none is open.');
    return this.#open;
  }
}

export function withoutTransactions(): ConfigurationError {
  return new ConfigurationError(
    "The option 'idempotency' needs transactions, and the data client has no $transaction: an answer would be kept of a write that is undone.",
    'Let getClient return the client itself, and not one of an open transaction, and use a database adapter with interactive transactions.',
  );
}

/** Converts the error of a write whose result cannot be read. With a key, such a write is rolled back, because there is no response to store. */
export function keyedWriteError(error: unknown): unknown {
  return undone(error, 'The result of this write may not be read. With an Idempotency-Key, which keeps the answer, nothing is written.');
}

/**
 * Converts the error of an action whose rows cannot be read back. An action and its response are one transaction, so nothing is written.
 *
 * @throws always
 */
export function throwActionError(error: unknown): never {
  throw undone(error, 'What this action wrote may not be read back, so that nothing is written.');
}

/** Replaces the error of a committed write with an unreadable result by the error of a rolled back write. */
function undone(error: unknown, detail: string): unknown {
  return isResultNotReadable(error) ? new AccessDeniedError(detail, { cause: error }) : error;
}
