import { isKept } from '../executor/statement-timeout.js';
import { memberOf } from '../errors/member-of.js';
import { endsConnection, isSqlState } from '../errors/sql-state.js';
import { Pipeline, type Step, type StepAnswer, WIRE_METHODS } from './pipeline.js';
import { type Nameable, PREPARED_LIMITS, type PreparedLimits, PreparedStatements } from './prepared-statements.js';
import type { SqlConnection, SqlQuery } from './sql-pool.js';

/** What is known of one connection of the pool, for as long as there is it. */
export class PoolConnection {
  readonly #prepared: PreparedStatements;
  /** Whether it has a sufficient `statement_timeout` of its own, by milliseconds. */
  readonly #keeping = new Map<number, boolean>();
  readonly #isPipelined: boolean;

  constructor(
    private readonly connection: SqlConnection,
    limits: PreparedLimits = PREPARED_LIMITS,
  ) {
    this.#prepared = new PreparedStatements(limits);
    this.#isPipelined = takesPipelines(connection);
  }

  /** Runs statements, each only after those before it have succeeded. Returns the answers of those whose rows are asked for. */
  run(statements: readonly Nameable[]): Promise<readonly StepAnswer[]> {
    return this.#isPipelined ? this.#runTogether(statements) : this.#runInTurn(statements);
  }

  /** Queried once. */
  async keepsTime(timeout: number): Promise<boolean> {
    const known = this.#keeping.get(timeout);
    if (known !== undefined) return known;
    const { rows } = await this.connection.query(plain(`SELECT ${isKept(timeout)}`));
    const keeps = (rows[0] as readonly unknown[] | undefined)?.[0] === true;
    this.#keeping.set(timeout, keeps);
    return keeps;
  }

  /** Ends the transaction of statements that have failed. Returns whether the connection can be used again. */
  async recover(error: unknown): Promise<boolean> {
    if (!isRefusedByServer(error)) return false;
    return this.connection.query(plain('ROLLBACK')).then(
      () => true,
      () => false,
    );
  }

  /** The server does not have what the connection has prepared. */
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
      // What has been put around the client may be asynchronous.
      if (returned instanceof Promise) returned.catch(reject);
    });
  }

  /** For connections that are not of node-postgres' own JavaScript. They prepare nothing, since they could not give it up. */
  async #runInTurn(statements: readonly Nameable[]): Promise<readonly StepAnswer[]> {
    const answers: StepAnswer[] = [];
    for (const { step } of statements) {
      const { rows, rowCount } = await this.connection.query({ text: step.text, values: [...step.values], rowMode: 'array' });
      if (!step.rows) continue;
      const { convert, counted } = step.rows;
      // Of columns of the type text.
      const converted = convert ? (rows as readonly (readonly (string | null)[])[]).map(convert) : rows;
      answers.push({ rows: counted ? [rowCount] : [...converted], bytes: 0 });
    }
    return answers;
  }
}

/** Whether a connection is one of node-postgres in JavaScript, one statement at a time: no native one, and not in its pipeline mode. */
function takesPipelines(connection: SqlConnection): boolean {
  const wire = memberOf(connection, 'connection');
  return memberOf(connection, 'pipeline') !== true && WIRE_METHODS.every((name) => typeof memberOf(wire, name) === 'function');
}

/** Whether an error is of PostgreSQL itself, which has done nothing then, except for those that end the connection. */
export function isRefusedByServer(error: unknown): boolean {
  const code = memberOf(error, 'code');
  return isSqlState(code) && !endsConnection(code);
}

function plain(text: string): SqlQuery {
  return { text, values: [], rowMode: 'array' };
}
