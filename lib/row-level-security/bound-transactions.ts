import { NO_TIMEOUT } from '../executor/operation-scope.js';
import {
  type BindingStatement,
  bindingInTime,
  explainBindingError,
  type RowLevelSecurityOptions,
  withStatementTimeout,
} from './binding-statement.js';
import {
  type ExtendableClient,
  type OpenTransaction,
  type PrismaPromise,
  type TransactionOptions,
  transactionOf,
  type TransactionWork,
} from './extendable-client.js';
import { requireObedience } from './require-obedience.js';
import { prismaErrorOf, TransactionClosedError, TransactionScope } from './transaction-scope.js';

/** Who opened a transaction for operations alone; shared by all bound clients, so that each knows those of the others. */
const OWNERS = new WeakMap<OpenTransaction, BoundTransactions>();

/** Of a Prisma client, whoever it is bound to. */
const OPENERS = new WeakMap<ExtendableClient, ExtendableClient>();

/**
 * The transactions of a bound client. All of them are interactive ones to Prisma, which refuses what comes after their end; what an
 * extension repeats after the end of a batch, it would run outside of any transaction.
 */
export class BoundTransactions {
  readonly #opener: ExtendableClient;
  readonly #binding: BindingStatement;

  constructor(
    private readonly prisma: ExtendableClient,
    options: RowLevelSecurityOptions,
    /** Has PostgreSQL end statements that take longer, in milliseconds; as long does an operation wait for a connection. */
    private readonly timeout?: number,
  ) {
    this.#binding = bindingInTime(options, timeout);
    this.#opener = OPENERS.get(prisma) ?? openerOf(prisma);
    OPENERS.set(prisma, this.#opener);
  }

  /** Operations that are put into a transaction of their own. */
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

  /** `$transaction([…])` */
  async runBatch(operations: readonly PrismaPromise[], { timeout, ...given }: TransactionOptions): Promise<unknown> {
    if (operations.length === 0) return [];
    requireOperations(operations);
    // Kept by PostgreSQL: Prisma's own timer would end the transaction beneath an operation (TransactionScope).
    const binding = timeout === undefined ? this.#binding : withStatementTimeout(this.#binding, Math.min(timeout, NO_TIMEOUT));
    return this.runAlone((transaction) => runInOrder(operations, transaction), given, binding);
  }

  /**
   * `$transaction(async (tx) => …)`
   *
   * @param client what it was called on, so that the open transaction keeps the extensions that were added after ours
   */
  runWork(client: ExtendableClient, work: TransactionWork, given: TransactionOptions): Promise<unknown> {
    const { sql, values } = this.#binding;
    const bound: TransactionWork = async (open) => {
      await open.$executeRawUnsafe(sql, ...values).then(undefined, rethrowExplained);
      return work(open);
    };
    // The client of an open transaction cannot be extended: the nested one is in the scope, and has the time, of the outermost.
    if (!('$extends' in client)) return this.prisma.$transaction.call(client, bound, ownOptions(given));
    const scope = new TransactionScope();
    const rethrow = async (error: unknown): Promise<never> => {
      throw error instanceof TransactionClosedError ? await prismaErrorOf(error, this.prisma) : error;
    };
    const scoped = client.$extends({
      name: 'row-level security: transaction',
      query: { $allOperations: (operation) => scope.run(operation).catch(rethrow) },
    });
    const { timeout = timeoutOf(this.prisma) } = given;
    const whole: TransactionWork = (open) => scope.finish(() => bound(open), timeout);
    return this.prisma.$transaction.call(scoped, whole, { ...ownOptions(given), timeout: NO_TIMEOUT }).catch(rethrow);
  }

  /** @throws Error for an operation in a transaction of another client, where it would run as somebody else */
  requireOwn(transaction: OpenTransaction): void {
    if (transaction.kind === 'itx' && (OWNERS.get(transaction) ?? this) === this) return;
    throw new Error(
      'An operation of a client from withRowLevelSecurity was put into the $transaction([…]) of another client. Call $transaction of its own client.',
    );
  }
}

/** Its `$executeRawUnsafe` runs the binding statement, and gives the transaction that it ran in. */
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
 * A copy, of what is a caller's to say: Prisma notes in the options of a nested transaction which one it is in, and would put the next
 * outermost one that is given the same object into that, as somebody else.
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

/** `transactionOptions` of the Prisma client, which it does not tell otherwise; Prisma's default. */
function timeoutOf({ _engineConfig: config }: ExtendableClient): number {
  return config?.transactionOptions?.timeout ?? 5000;
}

function rethrowExplained(error: unknown): never {
  throw explainBindingError(error);
}
