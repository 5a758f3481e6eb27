import type { DataClient } from './data-client.js';
import type { Storage } from '../model/storage/storage.js';
import type { UniqueCondition } from '../query/condition.js';
import type { Query } from '../query/query.js';
import type { ResultOf, Row } from '../query/result.js';

/**
 * An object that runs queries: on a data client, or as a wrapper of another executor. All executors have this interface.
 *
 * Results have the members that a query selects, and may have more.
 */
export interface Executor {
  /**
   * Runs a query.
   *
   * @throws the errors of the data layer
   */
  run<Q extends Query>(query: Q): Promise<ResultOf<Q>>;
  /**
   * Runs work in one transaction, which is committed when the work resolves and rolled back when it rejects. Absent if the client is already in a
   * transaction, which the application ends.
   */
  readonly transaction?: Transaction | undefined;
  /** Runs an SQL statement of the package that changes no rows. Absent if the client has no raw SQL. */
  readonly sql?: ((text: string, values: readonly unknown[]) => Promise<readonly Row[]>) | undefined;
  /**
   * Locks the row of the first key until the transaction ends. Absent if the client has no raw SQL.
   *
   * Later statements of the transaction then write the same state of the row that they have read. A database without row locks rejects the later of
   * two writers itself.
   */
  readonly lock?: ((row: UniqueCondition, provider: Storage['provider']) => Promise<void>) | undefined;
  /** Returns the data client that runs the queries, for code of the application. Absent if there is none. */
  readonly client?: (() => DataClient) | undefined;
}

/** A function that runs work in one transaction. */
export type Transaction = <Result>(work: (open: Executor) => Promise<Result>, options?: TransactionOptions) => Promise<Result>;

export interface TransactionOptions {
  /** Isolation level, by Prisma's name. @default that of the client */
  readonly isolationLevel?: 'ReadCommitted' | 'RepeatableRead';
  /** Maximum time to wait for a connection, in milliseconds. */
  readonly maxWait?: number;
  /** Maximum duration in milliseconds. Without it, the timeout in the client's configuration applies. */
  readonly timeout?: number;
}
