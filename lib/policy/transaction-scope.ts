import type { InterceptedOperation } from './extendable-client.js';

/** For a transaction that Prisma shall not end by a timer of its own: the longest that timers can wait, 24 days. */
export const NO_TIMEOUT = 2_147_483_647;

/** By name and code what Prisma throws. */
export class TransactionClosedError extends Error {
  override readonly name = 'PrismaClientKnownRequestError';
  readonly code = 'P2028';

  constructor(problem: string) {
    super(`Transaction API error: Transaction already closed: ${problem}`);
  }
}

/**
 * Keeps an interactive transaction open for as long as an operation is under way in it.
 *
 * Prisma ends a transaction when its time is up or its work fails, whatever is under way. An operation of several statements (a nested
 * write, an include) then goes on with its next one on the connection that has left the transaction: under the connection's own role,
 * which no policy binds, or in the transaction of the connection's next user (prisma/orm issue 29762).
 */
export class TransactionScope {
  readonly #underWay = new Set<PromiseLike<unknown>>();
  #isOpen = true;

  /** A query hook. */
  async run({ args, query }: InterceptedOperation): Promise<unknown> {
    if (!this.#isOpen) throw new TransactionClosedError('A query cannot be executed on a closed transaction.');
    const operation = query(args);
    this.#underWay.add(operation);
    try {
      return await operation;
    } finally {
      this.#underWay.delete(operation);
    }
  }

  /** The result of the work, once no operation is under way any more; a failure when it took too long. */
  async finish<Result>(work: () => Promise<Result>, timeout: number): Promise<Result> {
    const timer = new AbortController();
    try {
      return await Promise.race([work(), failAfter(timeout, timer.signal)]);
    } finally {
      timer.abort();
      this.#isOpen = false;
      await Promise.allSettled(this.#underWay);
    }
  }
}

function failAfter(timeout: number, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const expire = (): void => {
      reject(
        new TransactionClosedError(
          `It took longer than its timeout of ${timeout} ms. Do less work in the transaction, or raise the timeout.`,
        ),
      );
    };
    const timer = setTimeout(expire, Math.min(timeout, NO_TIMEOUT)).unref();
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
    });
  });
}
