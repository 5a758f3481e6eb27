import type { DataClient } from './data-client.js';
import type { Storage } from '../model/storage/storage.js';
import type { UniqueCondition } from '../query/condition.js';
import type { Query } from '../query/query.js';
import type { ResultOf, Row } from '../query/result.js';

/**
 * What answers queries: a data client, or a stage in front of one. Whoever has an executor needs to know nothing of what is behind it.
 *
 * Results have the members that a query selects, and may have more.
 */
export interface Executor {
  /** @throws whatever the data layer throws */
  run<Asked extends Query>(query: Asked): Promise<ResultOf<Asked>>;
  /**
   * Does work on an executor of one transaction, which is committed when the work is done and rolled back when it fails. Absent where there is a
   * transaction already, which somebody else ends.
   */
  readonly transaction?: <Result>(work: (open: Executor) => Promise<Result>, options?: TransactionOptions) => Promise<Result>;
  /** Runs a statement of the package's own in the database's language; absent where there is none. It changes no rows. */
  readonly sql?: (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;
  /**
   * Locks the row that has the first key until the transaction ends. Absent outside of databases with SQL.
   *
   * What later statements of the transaction read of the row is then what they write. A database without row locks refuses the later of two writers itself.
   */
  readonly lock?: (row: UniqueCondition, provider: Storage['provider']) => Promise<void>;
  /** The data client that it asks, for code of the host; absent where it asks none. */
  readonly client?: () => DataClient;
}

export interface TransactionOptions {
  /** Prisma's name of it. @default that of the client */
  readonly isolationLevel?: 'ReadCommitted' | 'RepeatableRead';
  /** How long to wait for a connection, in milliseconds. */
  readonly maxWait?: number;
  /** How long it may take, in milliseconds; without it what the client is configured to. */
  readonly timeout?: number;
}
