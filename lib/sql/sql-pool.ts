/** The part of `pg.Pool` that this package uses. */
export interface SqlPool {
  readonly connect: () => Promise<SqlConnection>;
}

/** The part of `pg.PoolClient` that this package uses. */
export interface SqlConnection {
  readonly query: (query: SqlQuery) => Promise<SqlResult>;
  /** @param destroy whether the pool must close the connection */
  readonly release: (destroy?: boolean) => void;
}

/** One statement. A statement with a name is prepared once per connection. */
export interface SqlQuery {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
  readonly rowMode: 'array';
}

export interface SqlResult {
  readonly rows: readonly unknown[];
  /** The number of rows that the statement has written. */
  readonly rowCount?: number | null;
}
