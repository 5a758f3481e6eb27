import { bindsCaller } from '../executor/bound-client.js';
import { bindsRole } from '../executor/database-role.js';
import { ROW_LEVEL_SECURITY } from '../executor/extensions-of.js';
import { bindsStatements } from '../executor/statement-timeout.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { bindSqlReads } from '../sql/sql-reads.js';
import { bindingInTime, type RowLevelSecurityOptions } from './binding-statement.js';
import { BoundTransactions } from './bound-transactions.js';
import { type ExtendableClient, transactionOf } from './extendable-client.js';

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
 * @throws ConfigurationError when there is nothing to bind to, a role that names none, or reads that would go round it
 * (`@prisma/extension-read-replicas`)
 * @example
 * getClient: ({ callerId }: CallerRequest) => withRowLevelSecurity(prisma, { role: 'app_user', settings: { 'app.user_id': callerId } }),
 */
export function withRowLevelSecurity<Client extends RowLevelSecurityClient>(
  prisma: Client,
  options: RowLevelSecurityOptions,
): Omit<Client, '$on'>;
/** Prisma's own types of its methods depend on the host's schema. */
export function withRowLevelSecurity(prisma: ExtendableClient, options: RowLevelSecurityOptions): ExtendableClient {
  requireOneDatabase(prisma);
  return bind(prisma, options);
}

/** Such an extension runs before ours, and would send reads to a client without the caller's role. */
function requireOneDatabase(prisma: object): void {
  if (!('$replica' in prisma)) return;
  throw new ConfigurationError(
    'withRowLevelSecurity got a client extended with read replicas, whose reads no policy would bind.',
    "Choose between the primary's client and a replica's in getClient, and bind the one chosen.",
  );
}

/** @param timeout has PostgreSQL end statements that take longer, in milliseconds */
function bind(prisma: ExtendableClient, options: RowLevelSecurityOptions, timeout?: number): ExtendableClient {
  const transactions = new BoundTransactions(prisma, options, timeout);
  const bound = prisma.$extends({
    name: ROW_LEVEL_SECURITY,
    query: {
      $allOperations: async (operation) => {
        const { args, query, __internalParams: internals } = operation;
        const transaction = transactionOf(operation);
        // A copy: an extension that repeats the operation finds it outside of any transaction again.
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
  bindsCaller(bound);
  if (options.role !== undefined) bindsRole(bound, options.role);
  bindSqlReads(prisma, bound, (limit) => bindingInTime(options, limit));
  bindsStatements(bound, (limit) => bind(prisma, options, limit));
  return bound;
}
