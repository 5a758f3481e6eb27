import { isKept } from '../executor/client/statement-timeout.js';
import { memberOf } from '../errors/member-of.js';
import { endsConnection, isSqlState } from '../errors/sql-state.js';
import { Pipeline, type Step, type StepAnswer, WIRE_METHODS } from './pipeline.js';
import { type Nameable, PREPARED_LIMITS, type PreparedLimits, PreparedStatements } from './prepared-statements.js';
import type { SqlConnection, SqlQuery } from './sql-pool.js';

/** A connection of the pool, with its prepared statements and its `statement_timeout`, which are cached for its lifetime. */
export class PoolConnection {
  readonly #prepared: PreparedStatements;
  /** Whether the connection has a sufficient `statement_timeout`, by milliseconds. */
  readonly #keeping = new Map<number, boolean>();
  readonly #isPipelined: boolean;

  constructor(
    private readonly connection: SqlConnection,
    limits: PreparedLimits = PREPARED_LIMITS,
  ) {
    this.#prepared = new PreparedStatements(limits);
    this.#isPipelined = takesPipelines(connection);
  }

  /** Runs statements, each only after those before it have succeeded. Returns the results of those that return rows. */
  run(statements: readonly Nameable[]): Promise<readonly StepAnswer[]> {
    return this.#isPipelined ? this.#runTogether(statements) : this.#runInTurn(statements);
  }

  /** Returns whether the connection has a sufficient `statement_timeout`. It is queried once for each timeout. */
  async keepsTime(timeout: number): Promise<boolean> {
    const known = this.#keeping.get(timeout);
    if (known !== undefined) return known;
    const { rows } = await this.connection.query(plain(`SELECT ${isKept(timeout)}`));
    const keeps = (rows[0] as readonly unknown[] | undefined)?.[0] === true;
    this.#keeping.set(timeout, keeps);
    return keeps;
  }

  /** Rolls back the transaction of statements that have failed. Returns whether the connection can be used again. */
  async recover(error: unknown): Promise<boolean> {
    if (!isRefusedByServer(error)) return false;
    return this.connection.query(plain('ROLLBACK')).then(
      () => true,
      () => false,
    );
  }

  /** Forgets the prepared statements, because the server does not have them. */
  forgetPrepared(): void {
    this.#prepared.forget();
  }

  async #runTogether(statements: readonly Nameable[]): Promise<readonly StepAnswer[]> {
    const { steps, dropped } = this.#prepared.use(statements);
    let isParsed = false;
    try {
      const answers = await this.#submit(steps, dropped);
      isParsed = true;
      return answers;
    } finally {
      this.#prepared.settle(steps, isParsed);
    }
  }

  #submit(steps: readonly Step[], dropped: readonly string[]): Promise<readonly StepAnswer[]> {
    return new Promise((resolve, reject) => {
      const callback: Pipeline['callback'] = (error, answers) => {
        if (answers) resolve(answers);
        else reject(error ?? new Error('There were no rows.'));
      };
      const pipeline = new Pipeline(steps, dropped, callback);
      const returned: unknown = Reflect.apply(this.connection.query, this.connection, [pipeline]);
      // Instrumentation that wraps the client may return a promise.
      if (returned instanceof Promise) returned.catch(reject);
    });
  }

  /**
   * Runs statements one by one on connections that are not node-postgres' JavaScript client. They use no prepared statements, because they could not
   * close them.
   */
  async #runInTurn(statements: readonly Nameable[]): Promise<readonly StepAnswer[]> {
    const answers: StepAnswer[] = [];
    for (const { step } of statements) {
      const { rows, rowCount } = await this.connection.query({ text: step.text, values: [...step.values], rowMode: 'array' });
      if (!step.rows) continue;
      const { convert, counted } = step.rows;
      // The columns of the statement are of the type text.
      const converted = convert ? (rows as readonly (readonly (string | null)[])[]).map(convert) : rows;
      answers.push({ rows: counted ? [rowCount] : [...converted], bytes: 0 });
    }
    return answers;
  }
}

/** Whether a connection is node-postgres' JavaScript client and not in its pipeline mode. The native client does not support pipelines. */
function takesPipelines(connection: SqlConnection): boolean {
  const wire = memberOf(connection, 'connection');
  return memberOf(connection, 'pipeline') !== true && WIRE_METHODS.every((name) => typeof memberOf(wire, name) === 'function');
}

/** Whether an error comes from PostgreSQL and leaves the connection open, so that the statement has had no effect. */
export function isRefusedByServer(error: unknown): boolean {
  const code = memberOf(error, 'code');
  return isSqlState(code) && !endsConnection(code);
}

function plain(text: string): SqlQuery {
  return { text, values: [], rowMode: 'array' };
}
