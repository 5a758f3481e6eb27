/** As much of a `pg.Pool` as reads use. */
export interface SqlPool {
  readonly query: (query: SqlQuery) => Promise<SqlResult>;
  readonly connect: () => Promise<SqlConnection>;
}

/** As much of a client of that pool. */
export interface SqlConnection {
  readonly query: (query: SqlQuery) => Promise<SqlResult>;
  /** @param destroy whether the connection is not to be used again */
  readonly release: (destroy?: boolean) => void;
}

/** One statement: named ones are prepared once a connection. */
export interface SqlQuery {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
  readonly rowMode: 'array';
}

export interface SqlResult {
  readonly rows: readonly unknown[];
}
