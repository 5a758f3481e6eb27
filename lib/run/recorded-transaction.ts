import type { Executor } from '../executor/executor.js';
import type { RunRules } from '../executor/run-plan.js';
import type { TransactionRules } from '../executor/transactions.js';
import { AccessDeniedError } from '../errors/access-denied-error.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { isResultNotReadable } from '../errors/is-result-not-readable.js';
import type { ApiReply, WriteRecord } from '../http/api-request.js';

type RecordedRules = Required<Pick<RunRules, 'prepare' | 'undoesUnreadable'>>;

/** The transaction of a write that comes with a key: its record is kept by the host's own client, which no rule of the caller is about. */
export class RecordedTransaction {
  /** Does the same as the given one, and tells which transaction is open. */
  readonly executor: Executor;
  #open: Executor | undefined;

  /** @throws ConfigurationError for an executor without transactions of its own: a record that stays without its write would be worse than none */
  constructor(
    private readonly record: WriteRecord,
    host: Executor,
  ) {
    const { transaction } = host;
    if (!transaction) throw withoutTransactions();
    this.executor = {
      ...host,
      transaction: (work, options) =>
        transaction((open) => {
          this.#open = open;
          return work(open);
        }, options),
    };
  }

  /** What its transaction is run by: it begins with the record, and is undone where there is no answer to keep. */
  rules<Rules extends TransactionRules>({ prepare, ...rules }: Rules): Omit<Rules, 'prepare'> & RecordedRules {
    const begin = async (open: Executor): Promise<void> => {
      await prepare?.(open);
      await this.record.begin(this.open);
    };
    return { ...rules, prepare: begin, undoesUnreadable: true };
  }

  /** Keeps the answer, before the commit. */
  async end(reply: ApiReply): Promise<ApiReply> {
    await this.record.end(this.open, reply);
    return reply;
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

/** A write with a key is not done without an answer that could be kept. */
export function withoutAnswer(error: unknown): unknown {
  return undone(error, 'The result of this write may not be read. With an Idempotency-Key, which keeps the answer, nothing is written.');
}

/**
 * An action is one transaction with its answer.
 *
 * @throws always
 */
export function withoutRecord(error: unknown): never {
  throw undone(error, 'What this action wrote may not be read back, so that nothing is written.');
}

/** What is said of a write that stands, of one that is undone. */
function undone(error: unknown, detail: string): unknown {
  return isResultNotReadable(error) ? new AccessDeniedError(detail, { cause: error }) : error;
}
