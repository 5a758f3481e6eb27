import { ConfigurationError } from '../errors/configuration-error.js';
import { bindingStatement, type RowLevelSecurityOptions } from './binding-statement.js';
import { explainBindingError } from './explain-binding-error.js';
import {
  type ExtendableClient,
  type InterceptedOperation,
  type OpenTransaction,
  type TransactionMethod,
  type TransactionOptions,
  type TransactionWork,
} from './extendable-client.js';
import { NO_TIMEOUT, TransactionScope } from './transaction-scope.js';

/** A Prisma client of any schema, extended or not; not the client of an open transaction, which cannot be extended. */
export interface RowLevelSecurityClient {
  readonly $extends: unknown;
  readonly $transaction: unknown;
  readonly $executeRawUnsafe: unknown;
}

/**
 * Binds a Prisma client on PostgreSQL (or PGlite) to one caller: every operation of the returned client runs with the role and the
 * settings, which end with the transaction it runs in, however that ends. The next user of the pooled connection sees none of them.
 *
 * A single operation takes a transaction of its own (three statements more: `BEGIN`, the settings, `COMMIT`). `$transaction([…])` and
 * `$transaction(async (tx) => …)` stay one transaction, with one statement more, which does not end while an operation is under way in it:
 * a `timeout` is kept between operations, that of a batch by PostgreSQL (`statement_timeout`), and a single operation has none.
 *
 * Cheap enough to be called once per request. Operations of the returned client belong into its own `$transaction([…])`: in that of
 * another client they would run as somebody else, and throw instead.
 *
 * @throws ConfigurationError when there is nothing to bind to, a role that names none, or reads that would go round it (`@prisma/extension-read-replicas`)
 * @example
 * getClient: ({ user }) => withRowLevelSecurity(prisma, { role: 'app_user', settings: { 'app.user_id': user?.id } }),
 */
export function withRowLevelSecurity<Client extends RowLevelSecurityClient>(
  prisma: Client,
  options: RowLevelSecurityOptions,
): Omit<Client, '$on'> {
  requireOneDatabase(prisma);
  // The one cast: Prisma's own types of these methods depend on the host's schema.
  return bind(prisma as unknown as ExtendableClient, options) as unknown as Omit<Client, '$on'>;
}

/** Such an extension comes before ours: it would hand a read to a client that is bound to nobody. */
function requireOneDatabase(prisma: object): void {
  if (!('$replica' in prisma)) return;
  throw new ConfigurationError(
    'withRowLevelSecurity got a client extended with read replicas, whose reads no policy would bind.',
    "Choose between the primary's client and a replica's in getClient, and bind the one chosen.",
  );
}

function bind(prisma: ExtendableClient, options: RowLevelSecurityOptions): ExtendableClient {
  const { sql, values } = bindingStatement(options);
  /** Told by the lock that the operations of a batch share. */
  const boundBatches = new WeakSet<object>();

  const binder = binderOf(prisma, boundBatches);

  async function runBatch(this: ExtendableClient, operations: readonly unknown[], { timeout, ...others }: TransactionOptions): Promise<unknown> {
    if (operations.length === 0) return [];
    const limited = timeout === undefined ? { sql, values } : bindingStatement(limitedTo(timeout, options));
    const batch = [binder.$executeRawUnsafe(limited.sql, ...limited.values), ...operations];
    const [, ...results] = (await prisma.$transaction.call(this, batch, { ...others, timeout: NO_TIMEOUT })) as readonly unknown[];
    return results;
  }

  async function runWork(this: ExtendableClient, work: TransactionWork, given: TransactionOptions): Promise<unknown> {
    const bound: TransactionWork = async (transaction) => {
      await transaction.$executeRawUnsafe(sql, ...values).then(undefined, rethrowExplained);
      return work(transaction);
    };
    // The client of an open transaction cannot be extended: the nested one is in the scope, and has the time, of the outermost.
    if (!('$extends' in this)) return prisma.$transaction.call(this, bound, given);
    const scope = new TransactionScope();
    const scoped = this.$extends({
      name: 'row-level security: transaction',
      query: { $allOperations: (operation) => scope.run(operation) },
    });
    const { timeout = timeoutOf(prisma) } = given;
    const whole: TransactionWork = (transaction) => scope.finish(() => bound(transaction), timeout);
    return prisma.$transaction.call(scoped, whole, { ...given, timeout: NO_TIMEOUT });
  }

  // On `this` rather than `prisma`, so that the open transaction keeps the extensions that were added after this one.
  const $transaction: TransactionMethod = async function (input, given = {}) {
    return typeof input === 'function' ? runWork.call(this, input, given) : runBatch.call(this, input, given);
  };

  return prisma.$extends({
    name: 'row-level security',
    query: {
      $allOperations: async (operation) => {
        const { args, query } = operation;
        const transaction = transactionOf(operation);
        if (transaction === undefined) {
          const [result] = (await runBatch.call(prisma, [query(args)], {})) as readonly unknown[];
          return result;
        }
        if (transaction.kind === 'batch') requireBound(transaction, boundBatches);
        return query(args);
      },
    },
    client: { $transaction },
  });
}

/** Runs the binding statement alone, and remembers the batch that it ran in. */
function binderOf(prisma: ExtendableClient, boundBatches: WeakSet<object>): ExtendableClient {
  return prisma.$extends({
    name: 'row-level security: binder',
    query: {
      $executeRawUnsafe: async (operation) => {
        const { lock } = transactionOf(operation) ?? {};
        if (lock) boundBatches.add(lock);
        return runBinding(operation);
      },
    },
  });
}

/** Kept by PostgreSQL, statement by statement: Prisma's own timer would end the transaction beneath an operation ({@link TransactionScope}). */
function limitedTo(timeout: number, { settings, ...others }: RowLevelSecurityOptions): RowLevelSecurityOptions {
  return { ...others, settings: { ...settings, statement_timeout: timeout } };
}

/** `transactionOptions` of the Prisma client, which it does not tell otherwise; Prisma's default. */
function timeoutOf({ _engineConfig: config }: ExtendableClient): number {
  return config?.transactionOptions?.timeout ?? 5000;
}

/** Undefined outside any transaction. */
function transactionOf({ __internalParams: internals }: InterceptedOperation): OpenTransaction | undefined {
  // Guessing here would be a choice between losing atomicity and losing the policies.
  if (internals === undefined || !('transaction' in internals)) {
    throw new Error('This version of the Prisma client does not tell withRowLevelSecurity about transactions.');
  }
  return internals.transaction;
}

function requireBound({ lock }: OpenTransaction, boundBatches: WeakSet<object>): void {
  if (lock && boundBatches.has(lock)) return;
  throw new Error(
    'An operation of a client from withRowLevelSecurity was put into the $transaction([…]) of another client. Call $transaction of its own client.',
  );
}

async function runBinding({ args, query }: InterceptedOperation): Promise<unknown> {
  return query(args).then(undefined, rethrowExplained);
}

function rethrowExplained(error: unknown): never {
  throw explainBindingError(error);
}
