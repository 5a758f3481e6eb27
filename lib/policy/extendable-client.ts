/**
 * As much of a Prisma client as `withRowLevelSecurity` calls, and of Prisma's extension API as it uses; structural, since the host's client
 * is a copy of its own (`@prisma/client` is never imported at run time).
 */
export interface ExtendableClient {
  readonly $extends: (extension: Extension) => ExtendableClient;
  readonly $transaction: TransactionMethod;
  readonly $executeRawUnsafe: (sql: string, ...values: readonly string[]) => PromiseLike<unknown>;
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
  input: readonly unknown[] | TransactionWork,
  options?: TransactionOptions,
) => Promise<unknown>;

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
  /** The rest of the way to the database: a Prisma promise, which may be put into a batch. */
  readonly query: (args: unknown) => PromiseLike<unknown>;
  /** The one member that Prisma does not document; its own extensions read it (`@prisma/extension-read-replicas`). */
  readonly __internalParams?: { readonly transaction?: OpenTransaction | undefined };
}

/** The transaction that an operation was put into before the hook was called. */
export interface OpenTransaction {
  /** `batch`: `$transaction([…])` · `itx`: `$transaction(async (tx) => …)` */
  readonly kind: string;
  /** Of a batch: one object that all of its operations share. */
  readonly lock?: object;
}
