/** The timeout that disables Prisma's timer of transactions: the longest delay of Node.js timers, 24 days. */
export const NO_TIMEOUT = 2_147_483_647;

/**
 * Keeps a transaction open while an operation is in flight, and rejects operations after its end.
 *
 * Prisma ends a transaction on timeout or failure even while an operation is in flight. An operation of several statements (a nested write, an
 * include) then continues on a connection that has left the transaction. Its next statement runs under the connection's own role, to which no policy
 * applies, or in the next transaction of the connection (prisma/orm issue 29762).
 */
export class OperationScope {
  readonly #underWay = new Set<Promise<unknown>>();
  #isOpen = true;

  /** @param closed creates the error for operations after the end */
  constructor(private readonly closed: () => Error) {}

  async run<Result>(start: () => PromiseLike<Result>): Promise<Result> {
    if (!this.#isOpen) throw this.closed();
    const operation = Promise.resolve(start());
    this.#underWay.add(operation);
    try {
      return await operation;
    } finally {
      this.#underWay.delete(operation);
    }
  }

  /** Runs the work, and returns its result when no operation is in flight any more. */
  async finish<Result>(work: (scope: this) => Promise<Result>): Promise<Result> {
    try {
      return await work(this);
    } finally {
      this.#isOpen = false;
      await Promise.allSettled(this.#underWay);
    }
  }
}
