/** The part of `pg.Pool` that reads use. */
export interface SqlPool {
  readonly connect: () => Promise<SqlConnection>;
}

/** The part of a client of that pool that reads use. */
export interface SqlConnection {
  readonly query: (query: SqlQuery) => Promise<SqlResult>;
  /** @param destroy whether the connection is not to be used again */
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
  /** How many rows the statement has written. */
  readonly rowCount?: number | null;
}
