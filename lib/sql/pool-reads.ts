import { statementTimeoutSql } from '../data-client/statement-timeout.js';
import { memberOf } from '../errors/member-of.js';
import type { Step } from './pipeline.js';
import { PoolConnection } from './pool-connection.js';
import type { Parameter } from './statement.js';
import type { SqlConnection, SqlPool } from './sql-pool.js';
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

/** Shared by all that read on a pool, as its connections are. */
const CONNECTIONS = new WeakMap<SqlConnection, PoolConnection>();

/** Reads on a pool of node-postgres. */
export class PoolReads {
  readonly #names = new StatementNames();

  constructor(private readonly pool: SqlPool) {}

  /** The cells of the statement's only row. */
  async read(statement: TimedStatement): Promise<readonly unknown[]> {
    const client = await this.pool.connect();
    const unwatch = watch(client);
    let isSound = false;
    try {
      const connection = connectionOf(client);
      const cells = await this.#readOn(connection, statement).catch(async (error: unknown) => {
        isSound = await connection.recover(error);
        if (!isSound || !isForgotten(error)) throw error;
        isSound = false;
        this.#names.lose();
        connection.forgetPrepared();
        return this.#readOn(connection, statement);
      });
      isSound = true;
      return cells;
    } finally {
      client.release(!isSound);
      unwatch();
    }
  }

  async #readOn(connection: PoolConnection, { text, values, timeout, binding }: TimedStatement): Promise<readonly unknown[]> {
    const read: Step = { text, values, command: 'SELECT' };
    if (binding) return this.#run(connection, within({ text: binding.sql, values: binding.values }, read));
    if (timeout === undefined || (await connection.keepsTime(timeout))) return this.#run(connection, [read]);
    return this.#run(connection, within({ text: `SELECT ${statementTimeoutSql(timeout)}`, values: [] }, read));
  }

  #run(connection: PoolConnection, steps: readonly Step[]): Promise<readonly unknown[]> {
    const statements = steps.map((step) => ({ step, name: this.#names.nameOf(step.text) }));
    return connection.run(statements, steps.length === 1 ? 0 : READ);
  }
}

/** The steps of a read in a transaction, after the statement that sets what holds in it. The settings end with the transaction. */
function within(setting: Pick<Step, 'text' | 'values'>, read: Step): readonly Step[] {
  return [BEGIN, { ...setting, command: 'SELECT' }, read, COMMIT];
}

const BEGIN: Step = { text: 'BEGIN READ ONLY', values: [], command: 'BEGIN' };
const COMMIT: Step = { text: 'COMMIT', values: [], command: 'COMMIT' };
/** Where the read of {@link within} is. */
const READ = 2;

function connectionOf(client: SqlConnection): PoolConnection {
  let known = CONNECTIONS.get(client);
  if (!known) {
    known = new PoolConnection(client);
    CONNECTIONS.set(client, known);
  }
  return known;
}

/** Invalid and duplicate names of prepared statements. */
function isForgotten(error: unknown): boolean {
  return /^(?:26000|42P05)$/.test(String(memberOf(error, 'code')));
}

/** A connection that breaks off says so to its listeners, too, and ends the process if there are none. The pool listens to idle ones only. */
function watch(client: SqlConnection): () => void {
  const { on, removeListener } = client as Partial<NodeJS.EventEmitter>;
  if (!on || !removeListener) return () => undefined;
  on.call(client, 'error', ignore);
  return () => removeListener.call(client, 'error', ignore);
}

/** The read itself fails with it. */
function ignore(): void {
  return;
}
