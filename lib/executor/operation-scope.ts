/** For transactions that Prisma shall not end by a timer of its own: the longest that timers can wait, 24 days. */
export const NO_TIMEOUT = 2_147_483_647;

/**
 * Keeps a transaction open for as long as an operation is under way in it, and lets none begin after its end.
 *
 * Prisma ends a transaction when its time is up or its work fails, whatever is under way. An operation of several statements (a nested
 * write, an include) then goes on with its next one on the connection that has left the transaction: under the connection's own role,
 * which no policy binds, or in the transaction of the connection's next user (prisma/orm issue 29762).
 */
export class OperationScope {
  readonly #underWay = new Set<Promise<unknown>>();
  #isOpen = true;

  /** @param closed the error for operations that come after the end */
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

  /** The result of the work, once no operation is under way any more. */
  async finish<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      this.#isOpen = false;
      await Promise.allSettled(this.#underWay);
    }
  }
}
