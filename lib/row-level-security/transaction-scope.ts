import { NO_TIMEOUT, OperationScope } from '../executor/operation-scope.js';
import type { ExtendableClient, InterceptedOperation } from './extendable-client.js';

/** An error with the name and the code of Prisma's own error for a closed transaction. */
export class TransactionClosedError extends Error {
  override readonly name = 'PrismaClientKnownRequestError';
  readonly code = 'P2028';

  constructor(problem: string) {
    super(`Transaction API error: Transaction already closed: ${problem}`);
  }
}

/** An {@link OperationScope} for interactive transactions of the application. It enforces the timeout in place of Prisma's timer. */
export class TransactionScope {
  readonly #scope = new OperationScope(() => new TransactionClosedError('A query cannot be executed on a closed transaction.'));

  /** Runs an operation; its signature is that of a query hook. */
  run({ args, query }: InterceptedOperation): Promise<unknown> {
    return this.#scope.run(() => query(args));
  }

  /**
   * Returns the result of the work once no operation is in flight. @throws TransactionClosedError if the work takes longer than the timeout in
   * milliseconds
   */
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

/** `Prisma.PrismaClientKnownRequestError`, from the application's copy of Prisma. */
type KnownRequestError = new (message: string, details: { readonly code: string; readonly clientVersion: string }) => Error;

/**
 * Returns the error as an instance of Prisma's own class, so that `instanceof` in the application recognizes it. Returns the error unchanged if the
 * class cannot be found.
 *
 * The class is only reachable through an error of the client. Prisma rejects a transaction with a timeout of 0 before it begins.
 */
export async function prismaErrorOf(error: TransactionClosedError, client: ExtendableClient): Promise<Error> {
  const refusal = await client.$transaction(() => Promise.resolve(), { timeout: 0 }).catch((refused: unknown) => refused);
  if (!isKnown(refusal)) return error;
  const { constructor: Known, clientVersion } = refusal;
  return new Known(error.message, { code: error.code, clientVersion });
}

function isKnown(error: unknown): error is { readonly constructor: KnownRequestError; readonly clientVersion: string } {
  return error instanceof Error && error.name === 'PrismaClientKnownRequestError' && 'clientVersion' in error;
}
