import { isKept, statementTimeoutSql } from '../data-client/statement-timeout.js';
import { memberOf } from '../errors/member-of.js';
import type { Parameter } from './statement.js';
import type { SqlConnection, SqlPool, SqlQuery, SqlResult } from './sql-pool.js';
import { StatementNames } from './statement-names.js';

/** A statement, and the time that the database may take for it. */
export interface TimedStatement {
  readonly text: string;
  readonly values: readonly Parameter[];
  /** Milliseconds; undefined for a read that is over in no time, and where there is no limit. */
  readonly timeout: number | undefined;
  /** The statement that binds the transaction to a caller and limits its time, without which it must not be read. */
  readonly binding?: { readonly sql: string; readonly values: readonly string[] };
}

/** Reads on a pool of node-postgres. */
export class PoolReads {
  readonly #names = new StatementNames();
  /** Connections that end statements in time by themselves, or do not. */
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

  /** Asked once a connection. */
  private async keepsTime(connection: SqlConnection, timeout: number): Promise<boolean> {
    const known = this.#keeping.get(connection);
    if (known !== undefined) return known;
    const { rows } = await connection.query(plain(`SELECT ${isKept(timeout)}`));
    const keeps = (rows[0] as readonly unknown[] | undefined)?.[0] === true;
    this.#keeping.set(connection, keeps);
    return keeps;
  }
}

/** In a transaction that is set first, which is all that it can be: what is set ends with it. */
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

/** Whether PostgreSQL itself has said no, and the transaction is ended: whatever else has failed leaves the connection to nobody. */
async function isSound(connection: SqlConnection, error: unknown): Promise<boolean> {
  if (!/^(?!08|57P)[0-9A-Z]{5}$/.test(String(memberOf(error, 'code')))) return false;
  return connection.query(plain('ROLLBACK')).then(
    () => true,
    () => false,
  );
}
