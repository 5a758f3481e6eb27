import { statementTimeoutSql } from '../data-client/statement-timeout.js';
import type { Waiting } from '../data-client/within.js';
import { memberOf } from '../errors/member-of.js';
import type { RowRules, Step } from './pipeline.js';
import { PoolConnection } from './pool-connection.js';
import type { Parameter } from './parameter.js';
import type { SqlConnection, SqlPool } from './sql-pool.js';
import { StatementNames } from './statement-names.js';

/** A statement, the time that the database may take for it, and what becomes of its rows. */
export interface TimedStatement extends RowRules {
  readonly text: string;
  readonly values: readonly Parameter[];
  /** @default a statement that reads */
  readonly command?: Step['command'];
  /** Milliseconds; undefined for reads that are always fast, and if there is no limit. */
  readonly timeout: number | undefined;
  /** The statement that binds the transaction to a caller and limits its time. If there is one, the read must run after it. */
  readonly binding?: { readonly sql: string; readonly values: readonly string[] };
  /** Asked once there is a connection: what nobody waits for any more is not sent. */
  readonly waiting?: Waiting;
  /** Called where the connection has no sufficient `statement_timeout` of its own. */
  readonly onUntimed?: () => void;
}

/** Shared by all that read on a pool, as its connections are. */
const CONNECTIONS = new WeakMap<SqlConnection, PoolConnection>();

/** Reads on a pool of node-postgres. */
export class PoolReads {
  readonly #names = new StatementNames();

  constructor(private readonly pool: SqlPool) {}

  /** The rows of the statement. */
  async read(statement: TimedStatement): Promise<readonly unknown[]> {
    const client = await this.pool.connect();
    const unwatch = watch(client);
    // Until something is sent.
    let isSound = true;
    try {
      statement.waiting?.throwIfAborted();
      isSound = false;
      const connection = connectionOf(client);
      const rows = await this.#readOn(connection, statement).catch(async (error: unknown) => {
        isSound = await connection.recover(error);
        if (!isSound || !isForgotten(error)) throw error;
        isSound = false;
        this.#names.lose();
        connection.forgetPrepared();
        return this.#readOn(connection, statement);
      });
      isSound = true;
      return rows;
    } finally {
      client.release(!isSound);
      unwatch();
    }
  }

  async #readOn(connection: PoolConnection, statement: TimedStatement): Promise<readonly unknown[]> {
    const { text, values, command = 'SELECT', timeout, binding, onUntimed, ...rows } = statement;
    const read: Step = { text, values, command };
    if (binding) return this.#run(connection, within({ text: binding.sql, values: binding.values }, read), rows);
    if (timeout === undefined || (await connection.keepsTime(timeout))) return this.#run(connection, [read], rows);
    onUntimed?.();
    return this.#run(connection, within({ text: `SELECT ${statementTimeoutSql(timeout)}`, values: [] }, read), rows);
  }

  #run(connection: PoolConnection, steps: readonly Step[], rows: RowRules): Promise<readonly unknown[]> {
    const statements = steps.map((step) => ({ step, name: this.#names.nameOf(step.text) }));
    return connection.run(statements, steps.length === 1 ? 0 : READ, rows);
  }
}

/** The steps of a read in a transaction, after the statement that sets what holds in it. The settings end with the transaction. */
function within(setting: Pick<Step, 'text' | 'values'>, read: Step): readonly Step[] {
  return [read.command === 'SELECT' ? BEGIN_READ : BEGIN, { ...setting, command: 'SELECT' }, read, COMMIT];
}

const BEGIN_READ: Step = { text: 'BEGIN READ ONLY', values: [], command: 'BEGIN' };
const BEGIN: Step = { text: 'BEGIN', values: [], command: 'BEGIN' };
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
