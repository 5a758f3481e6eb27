import { ConfigurationError } from '../errors/configuration-error.js';
import { type BindingStatement, bindingStatement, type RowLevelSecurityOptions } from './binding-statement.js';
import { explainBindingError } from './explain-binding-error.js';
import { type ExtendableClient, type InterceptedOperation, type OpenTransaction, type TransactionMethod } from './extendable-client.js';

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
 * `$transaction(async (tx) => …)` stay one transaction, with one statement more. The time limits of transactions (`transactionOptions` of
 * the Prisma client) hold for single operations too.
 *
 * Cheap enough to be called once per request. Operations of the returned client belong into its own `$transaction([…])`: in that of
 * another client they would run as somebody else, and throw instead.
 *
 * @throws ConfigurationError when there is nothing to bind to, or reads would go round it (`@prisma/extension-read-replicas`)
 * @example
 * getClient: ({ user }) => withRowLevelSecurity(prisma, { role: 'app_user', settings: { 'app.user_id': user?.id } }),
 */
export function withRowLevelSecurity<Client extends RowLevelSecurityClient>(
  prisma: Client,
  options: RowLevelSecurityOptions,
): Omit<Client, '$on'> {
  requireOneDatabase(prisma);
  // The one cast: Prisma's own types of these methods depend on the host's schema.
  return bind(prisma as unknown as ExtendableClient, bindingStatement(options)) as unknown as Omit<Client, '$on'>;
}

/** Such an extension comes before ours: it would hand a read to a client that is bound to nobody. */
function requireOneDatabase(prisma: object): void {
  if (!('$replica' in prisma)) return;
  throw new ConfigurationError(
    'withRowLevelSecurity got a client extended with read replicas, whose reads no policy would bind.',
    "Choose between the primary's client and a replica's in getClient, and bind the one chosen.",
  );
}

function bind(prisma: ExtendableClient, { sql, values }: BindingStatement): ExtendableClient {
  /** Told by the lock that the operations of a batch share. */
  const boundBatches = new WeakSet<object>();

  const binder = prisma.$extends({
    name: 'row-level security: binder',
    query: {
      $executeRawUnsafe: async (operation) => {
        const { lock } = transactionOf(operation) ?? {};
        if (lock) boundBatches.add(lock);
        return runBinding(operation);
      },
    },
  });

  const $transaction: TransactionMethod = async function (input, options) {
    // On `this` rather than `prisma`, so that the open transaction keeps the extensions that were added after this one.
    const begin = prisma.$transaction.bind(this);
    if (typeof input === 'function') {
      return begin(async (transaction) => {
        await transaction.$executeRawUnsafe(sql, ...values).then(undefined, rethrowExplained);
        return input(transaction);
      }, options);
    }
    if (input.length === 0) return [];
    const [, ...results] = (await begin([binder.$executeRawUnsafe(sql, ...values), ...input], options)) as readonly unknown[];
    return results;
  };

  return prisma.$extends({
    name: 'row-level security',
    query: {
      $allOperations: async (operation) => {
        const { args, query } = operation;
        const transaction = transactionOf(operation);
        if (transaction === undefined) {
          const batch = [binder.$executeRawUnsafe(sql, ...values), query(args)];
          const [, result] = (await prisma.$transaction(batch)) as readonly unknown[];
          return result;
        }
        if (transaction.kind === 'batch') requireBound(transaction, boundBatches);
        return query(args);
      },
    },
    client: { $transaction },
  });
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
