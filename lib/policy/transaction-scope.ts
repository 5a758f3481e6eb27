import { NO_TIMEOUT, OperationScope } from '../data-client/operation-scope.js';
import type { InterceptedOperation } from './extendable-client.js';

/** By name and code what Prisma throws. */
export class TransactionClosedError extends Error {
  override readonly name = 'PrismaClientKnownRequestError';
  readonly code = 'P2028';

  constructor(problem: string) {
    super(`Transaction API error: Transaction already closed: ${problem}`);
  }
}

/** An {@link OperationScope} for the transactions of host code, which Prisma would end by its timer. */
export class TransactionScope {
  readonly #scope = new OperationScope(() => new TransactionClosedError('A query cannot be executed on a closed transaction.'));

  /** A query hook. */
  run({ args, query }: InterceptedOperation): Promise<unknown> {
    return this.#scope.run(() => query(args));
  }

  /** The result of the work, once no operation is under way any more; a failure when it took too long. */
  async finish<Result>(work: () => Promise<Result>, timeout: number): Promise<Result> {
    const timer = new AbortController();
    try {
      return await this.#scope.finish(() => Promise.race([work(), failAfter(timeout, timer.signal)]));
    } finally {
      timer.abort();
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
