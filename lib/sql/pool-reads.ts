import { isKept, statementTimeoutSql } from '../data-client/statement-timeout.js';
import { memberOf } from '../errors/member-of.js';
import type { Parameter } from './statement.js';
import type { SqlConnection, SqlPool, SqlQuery, SqlResult } from './sql-pool.js';
import { StatementNames } from './statement-names.js';

/** A statement, and the time that the database may take for it. */
export interface TimedStatement {
  readonly text: string;
  readonly values: readonly Parameter[];
  /** Milliseconds; undefined for reads that are always fast, and if there is no limit. */
  readonly timeout: number | undefined;
  /** The statement that binds the transaction to a caller and limits its time. If there is one, the read must run after it. */
  readonly binding?: { readonly sql: string; readonly values: readonly string[] };
}

/** Reads on a pool of node-postgres. */
export class PoolReads {
  readonly #names = new StatementNames();
  /** Whether each connection has a sufficient `statement_timeout` of its own. */
  readonly #keeping = new WeakMap<SqlConnection, boolean>();

  constructor(private readonly pool: SqlPool) {}

  /** The cells of the statement's only row. */
  async read({ text, values, timeout, binding }: TimedStatement): Promise<readonly unknown[]> {
    const query: SqlQuery = { ...named(this.#names.nameOf(text)), text, values: [...values], rowMode: 'array' };
    if (binding)
      return this.use((connection) => within(connection, { text: binding.sql, values: [...binding.values], rowMode: 'array' }, query));
    if (timeout === undefined) return rowOf(await this.pool.query(query));
    return this.use(async (connection) =>
      (await this.keepsTime(connection, timeout))
        ? connection.query(query)
        : within(connection, plain(`SELECT ${statementTimeoutSql(timeout)}`), query),
    );
  }

  private async use(work: (connection: SqlConnection) => Promise<SqlResult>): Promise<readonly unknown[]> {
    const connection = await this.pool.connect();
    try {
      const result = await work(connection);
      connection.release();
      return rowOf(result);
    } catch (error) {
      connection.release(!(await isSound(connection, error)));
      throw error;
    }
  }

  /** Queried once per connection. */
  private async keepsTime(connection: SqlConnection, timeout: number): Promise<boolean> {
    const known = this.#keeping.get(connection);
    if (known !== undefined) return known;
    const { rows } = await connection.query(plain(`SELECT ${isKept(timeout)}`));
    const keeps = (rows[0] as readonly unknown[] | undefined)?.[0] === true;
    this.#keeping.set(connection, keeps);
    return keeps;
  }
}

/** Runs the read in a transaction after the statement that sets its timeout. The setting ends with the transaction. */
async function within(connection: SqlConnection, setting: SqlQuery, query: SqlQuery): Promise<SqlResult> {
  await connection.query(plain('BEGIN READ ONLY'));
  await connection.query(setting);
  const result = await connection.query(query);
  await connection.query(plain('COMMIT'));
  return result;
}

function plain(text: string): SqlQuery {
  return { text, values: [], rowMode: 'array' };
}

function named(name: string | undefined): { readonly name?: string } {
  return name === undefined ? {} : { name };
}

function rowOf({ rows }: SqlResult): readonly unknown[] {
  return rows[0] as readonly unknown[];
}

/** Rolls back after an error that PostgreSQL itself reported. Returns whether the connection can be used again. */
async function isSound(connection: SqlConnection, error: unknown): Promise<boolean> {
  if (!/^(?!08|57P)[0-9A-Z]{5}$/.test(String(memberOf(error, 'code')))) return false;
  return connection.query(plain('ROLLBACK')).then(
    () => true,
    () => false,
  );
}
