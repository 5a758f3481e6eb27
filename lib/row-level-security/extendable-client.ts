/**
 * The members of a Prisma client, and of Prisma's extension API, that `withRowLevelSecurity` uses. The type is structural, because the application's
 * client is generated, and `@prisma/client` is never imported at run time.
 */
export interface ExtendableClient {
  readonly $extends: (extension: Extension) => ExtendableClient;
  readonly $transaction: TransactionMethod;
  readonly $executeRawUnsafe: (sql: string, ...values: readonly string[]) => PromiseLike<unknown>;
  readonly $queryRawUnsafe: (sql: string, ...values: readonly string[]) => PromiseLike<unknown>;
  /** An undocumented member of the client. */
  readonly _engineConfig?: { readonly transactionOptions?: TransactionOptions };
}

export interface TransactionOptions {
  readonly timeout?: number;
  readonly maxWait?: number;
  readonly isolationLevel?: string;
}

/** Both forms of `$transaction`: a batch of Prisma promises, or work with the client of an open transaction. */
export type TransactionMethod = (
  this: ExtendableClient,
  input: readonly PrismaPromise[] | TransactionWork,
  options?: TransactionOptions,
) => Promise<unknown>;

/** An operation that runs when it is awaited, or in the transaction into which it is put. */
export interface PrismaPromise {
  /** An undocumented method that Prisma's own `$transaction([…])` calls. */
  readonly requestTransaction: (transaction: OpenTransaction) => PromiseLike<unknown>;
}

export type TransactionWork = (transaction: ExtendableClient) => Promise<unknown>;

interface Extension {
  readonly name: string;
  readonly query: Readonly<Record<string, QueryHook>>;
  readonly client?: { readonly $transaction: TransactionMethod };
}

type QueryHook = (operation: InterceptedOperation) => PromiseLike<unknown>;

/** The argument of a query hook. */
interface InterceptedOperation {
  readonly args: unknown;
  /** Calls the next extension or the database, in the transaction that the second argument names. */
  readonly query: (args: unknown, internals?: InternalParams) => PromiseLike<unknown>;
  /** An undocumented member, which Prisma's own extensions read and pass (`@prisma/extension-read-replicas`). */
  readonly __internalParams?: InternalParams;
}

export interface InternalParams {
  readonly transaction?: OpenTransaction | undefined;
}

/** The transaction into which an operation was put before the hook was called. All operations in it share the same object. */
export interface OpenTransaction {
  /** `batch`: `$transaction([…])` · `itx`: `$transaction(async (tx) => …)` */
  readonly kind: string;
}

/** Returns the transaction of an operation; undefined outside of any transaction. */
export function transactionOf({ __internalParams: internals }: InterceptedOperation): OpenTransaction | undefined {
  // A guess could lose either the atomicity of the transaction or the policies.
  if (internals === undefined || !('transaction' in internals)) {
    throw new Error('This version of the Prisma client does not tell withRowLevelSecurity about transactions.');
  }
  return internals.transaction;
}
