/**
 * As much of a Prisma client as `withRowLevelSecurity` calls, and of Prisma's extension API as it uses; structural, since the host's client
 * is a copy of its own (`@prisma/client` is never imported at run time).
 */
export interface ExtendableClient {
  readonly $extends: (extension: Extension) => ExtendableClient;
  readonly $transaction: TransactionMethod;
  readonly $executeRawUnsafe: (sql: string, ...values: readonly string[]) => PromiseLike<unknown>;
  readonly $queryRawUnsafe: (sql: string, ...values: readonly string[]) => PromiseLike<unknown>;
  /** Not documented. */
  readonly _engineConfig?: { readonly transactionOptions?: TransactionOptions };
}

export interface TransactionOptions {
  readonly timeout?: number;
  readonly maxWait?: number;
  readonly isolationLevel?: string;
}

/** Both forms: a batch of Prisma promises, or work on an open transaction. */
export type TransactionMethod = (
  this: ExtendableClient,
  input: readonly PrismaPromise[] | TransactionWork,
  options?: TransactionOptions,
) => Promise<unknown>;

/** An operation that runs when it is awaited, or put into a transaction. */
export interface PrismaPromise {
  /** Not documented; what Prisma's own `$transaction([…])` calls. */
  readonly requestTransaction: (transaction: OpenTransaction) => PromiseLike<unknown>;
}

export type TransactionWork = (transaction: ExtendableClient) => Promise<unknown>;

interface Extension {
  readonly name: string;
  readonly query: Readonly<Record<string, QueryHook>>;
  readonly client?: { readonly $transaction: TransactionMethod };
}

type QueryHook = (operation: InterceptedOperation) => PromiseLike<unknown>;

/** What a query hook is given. */
export interface InterceptedOperation {
  readonly args: unknown;
  /** The rest of the way to the database, in the transaction that the second argument names. */
  readonly query: (args: unknown, internals?: InternalParams) => PromiseLike<unknown>;
  /** The one member that Prisma does not document; its own extensions read and pass it (`@prisma/extension-read-replicas`). */
  readonly __internalParams?: InternalParams;
}

export interface InternalParams {
  readonly transaction?: OpenTransaction | undefined;
}

/** The transaction that an operation was put into before the hook was called: the same object for all operations that share it. */
export interface OpenTransaction {
  /** `batch`: `$transaction([…])` · `itx`: `$transaction(async (tx) => …)` */
  readonly kind: string;
}

/** Undefined outside any transaction. */
export function transactionOf({ __internalParams: internals }: InterceptedOperation): OpenTransaction | undefined {
  // Guessing here would be a choice between losing atomicity and losing the policies.
  if (internals === undefined || !('transaction' in internals)) {
    throw new Error('This version of the Prisma client does not tell withRowLevelSecurity about transactions.');
  }
  return internals.transaction;
}
