import { isKept } from '../data-client/statement-timeout.js';
import { memberOf } from '../errors/member-of.js';
import { Pipeline, type PipelineContext, type RowRules, type Step, WIRE_METHODS } from './pipeline.js';
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

  /** Runs statements, each only after those before it have succeeded. Returns the rows of one of them. */
  run(statements: readonly Nameable[], answering: number, rows: RowRules = {}): Promise<readonly unknown[]> {
    return this.#isPipelined ? this.#runTogether(statements, answering, rows) : this.#runInTurn(statements, answering, rows);
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

  async #runTogether(statements: readonly Nameable[], answering: number, rows: RowRules): Promise<readonly unknown[]> {
    const { steps, dropped } = this.#prepared.use(statements);
    let isParsed = false;
    try {
      const found = await this.#submit(steps, { answering, dropped, rows });
      isParsed = true;
      return found;
    } finally {
      this.#prepared.settle(steps, isParsed);
    }
  }

  #submit(steps: readonly Step[], context: PipelineContext): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      const callback: Pipeline['callback'] = (error, rows) => {
        if (rows) resolve(rows);
        else reject(error ?? new Error('There were no rows.'));
      };
      const pipeline = new Pipeline(steps, context, callback);
      const returned: unknown = Reflect.apply(this.connection.query, this.connection, [pipeline]);
      // What has been put around the client may be asynchronous.
      if (returned instanceof Promise) returned.catch(reject);
    });
  }

  /** For connections that are not of node-postgres' own JavaScript. They prepare nothing, since they could not give it up. */
  async #runInTurn(statements: readonly Nameable[], answering: number, { convert, counted }: RowRules): Promise<readonly unknown[]> {
    let answer: readonly unknown[] = [];
    for (const [index, { step }] of statements.entries()) {
      const { rows, rowCount } = await this.connection.query({ text: step.text, values: [...step.values], rowMode: 'array' });
      if (index !== answering) continue;
      if (counted) answer = [rowCount];
      // Of columns of the type text.
      else answer = convert ? (rows as readonly (readonly (string | null)[])[]).map(convert) : rows;
    }
    return answer;
  }
}

/** Whether a connection is one of node-postgres in JavaScript, one statement at a time: no native one, and not in its pipeline mode. */
function takesPipelines(connection: SqlConnection): boolean {
  const wire = memberOf(connection, 'connection');
  return memberOf(connection, 'pipeline') !== true && WIRE_METHODS.every((name) => typeof memberOf(wire, name) === 'function');
}

/** Whether an error is of PostgreSQL itself, which has done nothing then, except for those that end the connection. */
export function isRefusedByServer(error: unknown): boolean {
  return /^(?!08|57P)[0-9A-Z]{5}$/.test(String(memberOf(error, 'code')));
}

function plain(text: string): SqlQuery {
  return { text, values: [], rowMode: 'array' };
}
