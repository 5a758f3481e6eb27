import { registerBoundClient } from '../executor/client/bound-client.js';
import { ROW_LEVEL_SECURITY } from '../executor/client/extensions-of.js';
import { registerTimeoutBinding } from '../executor/client/statement-timeout.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { bindSql } from '../sql/client-sql.js';
import { bindingWithTimeout, bindingStatement, type RowLevelSecurityOptions } from './binding-statement.js';
import { BoundTransactions } from './bound-transactions.js';
import { type ExtendableClient, transactionOf } from './extendable-client.js';

/** A Prisma client of any schema, extended or not. The client of an open transaction is not accepted, because it cannot be extended. */
export interface RowLevelSecurityClient {
  readonly $extends: unknown;
  readonly $transaction: unknown;
  readonly $executeRawUnsafe: unknown;
}

/**
 * Binds a Prisma client on PostgreSQL (or PGlite) to one caller. Every operation of the returned client runs with the role and the settings. They end
 * with its transaction, so that the next user of the pooled connection has none of them.
 *
 * A single operation runs in its own transaction, which adds three statements: `BEGIN`, the settings and `COMMIT`. `$transaction([…])` and
 * `$transaction(async (tx) => …)` stay one transaction and add one statement.
 *
 * No transaction ends while one of its operations is in flight. A `timeout` is therefore enforced between operations, for a batch by PostgreSQL
 * (`statement_timeout`); a single operation has no timeout.
 *
 * The function is cheap enough to be called once per request. Put operations of the returned client into its own `$transaction([…])`. In that of
 * another client they would run as another caller, and throw instead.
 *
 * @throws ConfigurationError for neither a role nor a setting, for an invalid role, and for reads that would bypass the binding
 * (`@prisma/extension-read-replicas`)
 * @example
 * getClient: ({ callerId }: CallerRequest) => withRowLevelSecurity(prisma, { role: 'app_user', settings: { 'app.user_id': callerId } }),
 */
export function withRowLevelSecurity<Client extends RowLevelSecurityClient>(
  prisma: Client,
  options: RowLevelSecurityOptions,
): Omit<Client, '$on'>;
/** Implements the overload above without the client's type, because Prisma's types of these methods depend on the schema of the application. */
export function withRowLevelSecurity(prisma: ExtendableClient, options: RowLevelSecurityOptions): ExtendableClient {
  requireOneDatabase(prisma);
  const binding = bindingStatement(options);
  const bound = extend(prisma, new BoundTransactions(prisma, binding));
  registerBoundClient(bound, options.role);
  bindSql(prisma, bound, (timeout) => bindingWithTimeout(binding, timeout));
  registerTimeoutBinding(bound, (timeout) => extend(prisma, new BoundTransactions(prisma, binding, timeout)));
  return bound;
}

/** Rejects a client with the read-replica extension. It runs before ours, and would send reads to a client without the caller's role. */
function requireOneDatabase(prisma: object): void {
  if (!('$replica' in prisma)) return;
  throw new ConfigurationError(
    'withRowLevelSecurity got a client extended with read replicas, whose reads no policy would bind.',
    "Choose between the primary's client and a replica's in getClient, and bind the one chosen.",
  );
}

/** Returns the client whose operations run in these transactions. */
function extend(prisma: ExtendableClient, transactions: BoundTransactions): ExtendableClient {
  return prisma.$extends({
    name: ROW_LEVEL_SECURITY,
    query: {
      $allOperations: async (operation) => {
        const { args, query, __internalParams: internals } = operation;
        const transaction = transactionOf(operation);
        // The parameters are copied, so that an extension that repeats the operation finds it outside of any transaction again.
        if (transaction === undefined) return transactions.runAlone(async (own) => query(args, { ...internals, transaction: own }));
        transactions.requireOwn(transaction);
        return query(args);
      },
    },
    client: {
      async $transaction(input, given = {}) {
        return typeof input === 'function' ? transactions.runWork(this, input, given) : transactions.runBatch(input, given);
      },
    },
  });
}
