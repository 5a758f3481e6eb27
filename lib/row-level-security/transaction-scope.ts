import { NO_TIMEOUT, OperationScope } from '../executor/operation-scope.js';
import type { ExtendableClient, InterceptedOperation } from './extendable-client.js';

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

/** `Prisma.PrismaClientKnownRequestError`, of the host's own copy. */
type KnownRequestError = new (message: string, details: { readonly code: string; readonly clientVersion: string }) => Error;

/**
 * The same error of Prisma's own class, so that a host's `instanceof` knows it; as it is where Prisma does not give the class away.
 *
 * The client has no other way to it than an error: it refuses a transaction without any time before it begins one.
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
