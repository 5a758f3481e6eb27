import { NO_TIMEOUT, OperationScope } from '../executor/operation-scope.js';
import { bindingWithTimeout, type BindingStatement, explainBindingError, withStatementTimeout } from './binding-statement.js';
import {
  type ExtendableClient,
  type OpenTransaction,
  type PrismaPromise,
  transactionOf,
  type TransactionOptions,
  type TransactionWork,
} from './extendable-client.js';
import { requireObedience } from './require-obedience.js';

/**
 * The bound client that opened each transaction for single operations and batches. All bound clients share it, to detect operations in a transaction
 * of another client.
 */
const OWNERS = new WeakMap<OpenTransaction, BoundTransactions>();

/** The opener extension of each Prisma client, shared by all of its bound clients. */
const OPENERS = new WeakMap<ExtendableClient, ExtendableClient>();

/**
 * The transactions of a bound client. For Prisma all of them are interactive transactions, because Prisma rejects operations after the end of these.
 * After the end of a batch, an extension that repeats an operation would run it outside of any transaction.
 */
export class BoundTransactions {
  readonly #opener: ExtendableClient;
  readonly #binding: BindingStatement;

  constructor(
    private readonly prisma: ExtendableClient,
    binding: BindingStatement,
    /** The `statement_timeout` in milliseconds, which is also the longest time for which an operation waits for a connection. */
    private readonly timeout?: number,
  ) {
    this.#binding = bindingWithTimeout(binding, timeout);
    this.#opener = OPENERS.get(prisma) ?? openerOf(prisma);
    OPENERS.set(prisma, this.#opener);
  }

  /** Runs operations in a new bound transaction. */
  runAlone(
    run: (transaction: OpenTransaction) => Promise<unknown>,
    given: TransactionOptions = {},
    { sql, values } = this.#binding,
  ): Promise<unknown> {
    const work: TransactionWork = async (client) => {
      const transaction = (await client.$executeRawUnsafe(sql, ...values)) as OpenTransaction;
      await requireObedience(this.prisma, client, transaction);
      OWNERS.set(transaction, this);
      return run(transaction);
    };
    const { timeout: maxWait } = this;
    const options = { ...(maxWait !== undefined && { maxWait }), ...ownOptions(given), timeout: NO_TIMEOUT };
    return this.prisma.$transaction.call(this.#opener, work, options);
  }

  /** Implements `$transaction([…])`. */
  async runBatch(operations: readonly PrismaPromise[], { timeout, ...given }: TransactionOptions): Promise<unknown> {
    if (operations.length === 0) return [];
    requireOperations(operations);
    // PostgreSQL enforces the timeout, because Prisma's own timer would end the transaction while an operation is in flight (OperationScope).
    const binding = timeout === undefined ? this.#binding : withStatementTimeout(this.#binding, Math.min(timeout, NO_TIMEOUT));
    return this.runAlone((transaction) => runInOrder(operations, transaction), given, binding);
  }

  /**
   * Implements `$transaction(async (tx) => …)`.
   *
   * @param client the client on which it was called, so that the open transaction has the extensions that were added after ours
   */
  runWork(client: ExtendableClient, work: TransactionWork, given: TransactionOptions): Promise<unknown> {
    const { sql, values } = this.#binding;
    const bound: TransactionWork = async (open) => {
      await open.$executeRawUnsafe(sql, ...values).then(undefined, rethrowExplained);
      return work(open);
    };
    // The client of an open transaction cannot be extended. A nested transaction therefore shares the scope and the timeout of the outermost one.
    if (!('$extends' in client)) return this.prisma.$transaction.call(client, bound, ownOptions(given));
    const scope = new OperationScope(() => new TransactionClosedError('A query cannot be executed on a closed transaction.'));
    const rethrow = async (error: unknown): Promise<never> => {
      throw error instanceof TransactionClosedError ? await prismaErrorOf(error, this.prisma) : error;
    };
    const scoped = client.$extends({
      name: 'row-level security: transaction',
      query: { $allOperations: ({ args, query }) => scope.run(() => query(args)).catch(rethrow) },
    });
    const { timeout = timeoutOf(this.prisma) } = given;
    // The bound client enforces the timeout in place of Prisma's timer.
    const whole: TransactionWork = (open) => scope.finish(() => withTimeout(timeout, bound(open)));
    return this.prisma.$transaction.call(scoped, whole, { ...ownOptions(given), timeout: NO_TIMEOUT }).catch(rethrow);
  }

  /** Rejects an operation in a transaction of another bound client, because it would run as another caller. @throws Error */
  requireOwn(transaction: OpenTransaction): void {
    if (transaction.kind === 'itx' && (OWNERS.get(transaction) ?? this) === this) return;
    throw new Error(
      'An operation of a client from withRowLevelSecurity was put into the $transaction([…]) of another client. Call $transaction of its own client.',
    );
  }
}

/** Returns an extension whose `$executeRawUnsafe` runs the binding statement and returns the transaction in which it ran. */
function openerOf(prisma: ExtendableClient): ExtendableClient {
  return prisma.$extends({
    name: 'row-level security: opener',
    query: {
      $executeRawUnsafe: async (operation) => {
        await operation.query(operation.args).then(undefined, rethrowExplained);
        return transactionOf(operation);
      },
    },
  });
}

/**
 * Copies the options that a caller may set. Prisma stores in the options of a nested transaction in which transaction it is. If the caller used the
 * same object for the next outermost transaction, Prisma would put it into the old one, as another caller.
 */
function ownOptions({ maxWait, timeout, isolationLevel }: TransactionOptions): TransactionOptions {
  return {
    ...(maxWait !== undefined && { maxWait }),
    ...(timeout !== undefined && { timeout }),
    ...(isolationLevel && { isolationLevel }),
  };
}

function requireOperations(operations: readonly Partial<PrismaPromise>[]): void {
  if (operations.every((operation) => typeof operation.requestTransaction === 'function')) return;
  throw new Error('All elements of the array need to be Prisma Client promises, which nothing has awaited yet.');
}

async function runInOrder(operations: readonly PrismaPromise[], transaction: OpenTransaction): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const operation of operations) results.push(await operation.requestTransaction(transaction));
  return results;
}

/** Returns `transactionOptions.timeout` of the Prisma client, which has no public accessor, or Prisma's default, in milliseconds. */
function timeoutOf({ _engineConfig: config }: ExtendableClient): number {
  return config?.transactionOptions?.timeout ?? 5000;
}

function rethrowExplained(error: unknown): never {
  throw explainBindingError(error);
}

/** An error with the name and the code of Prisma's own error for a closed transaction. */
class TransactionClosedError extends Error {
  override readonly name = 'PrismaClientKnownRequestError';
  readonly code = 'P2028';

  constructor(problem: string) {
    super(`Transaction API error: Transaction already closed: ${problem}`);
  }
}

/**
 * Returns the result of work.
 *
 * @throws TransactionClosedError if the work takes longer than the timeout in milliseconds
 */
async function withTimeout<Result>(timeout: number, work: Promise<Result>): Promise<Result> {
  if (timeout >= NO_TIMEOUT) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const problem = `It took longer than its timeout of ${timeout} ms. Do less work in the transaction, or raise the timeout.`;
    timer = setTimeout(() => {
      reject(new TransactionClosedError(problem));
    }, timeout).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** `Prisma.PrismaClientKnownRequestError`, from the application's copy of Prisma. */
type KnownRequestError = new (message: string, details: { readonly code: string; readonly clientVersion: string }) => Error;

/**
 * Returns the error as an instance of Prisma's own class, so that `instanceof` in the application recognizes it. Returns the error unchanged if the
 * class cannot be found.
 *
 * The class is only reachable through an error of the client. Prisma rejects a transaction with a timeout of 0 before it begins.
 */
async function prismaErrorOf(error: TransactionClosedError, client: ExtendableClient): Promise<Error> {
  const refusal = await client.$transaction(() => Promise.resolve(), { timeout: 0 }).catch((refused: unknown) => refused);
  if (!isKnown(refusal)) return error;
  const { constructor: Known, clientVersion } = refusal;
  return new Known(error.message, { code: error.code, clientVersion });
}

function isKnown(error: unknown): error is { readonly constructor: KnownRequestError; readonly clientVersion: string } {
  return error instanceof Error && error.name === 'PrismaClientKnownRequestError' && 'clientVersion' in error;
}
