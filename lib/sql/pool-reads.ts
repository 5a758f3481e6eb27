import { statementTimeoutSql } from '../data-client/statement-timeout.js';
import type { Waiting } from '../data-client/within.js';
import { memberOf } from '../errors/member-of.js';
import type { RowRules, SqlStatement, Step, StepAnswer } from './pipeline.js';
import { isRefusedByServer, PoolConnection } from './pool-connection.js';
import { type Passenger, SharedTrips } from './shared-trips.js';
import type { SqlConnection, SqlPool } from './sql-pool.js';
import { StatementNames } from './statement-names.js';
import { UnderWay } from './under-way.js';

/** A statement, the time that the database may take for it, and what becomes of its rows. */
export interface TimedStatement extends SqlStatement, RowRules {
  /** @default a statement that reads */
  readonly command?: Step['command'];
  /** Whether it writes, whatever its command is called. @default false */
  readonly writes?: boolean;
  /** Whether it is a read that is always fast, and may share its trip with others. @default false */
  readonly isQuick?: boolean;
  /** Whether it is one that is fast but for rare cases: it may share a trip on a connection that keeps its time by itself. @default false */
  readonly isUsuallyQuick?: boolean;
  /** The same as two statements, for one that is as fast but for its total: this is counted once for all that ask for it in one turn. */
  readonly apart?: { readonly page: SqlStatement; readonly total: SqlStatement };
  /** Milliseconds; undefined if there is no limit. Reads that are always fast need none. */
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
  readonly #underWay = new UnderWay();
  readonly #trips = new SharedTrips<TimedStatement>((passengers) => void this.#readTogether(passengers));
  readonly #counting = new SharedTrips<TimedStatement>((passengers) => {
    for (const group of ofEachTotal(passengers)) void this.#readTogether(group);
  });

  constructor(private readonly pool: SqlPool) {}

  /** The rows of the statement. */
  read(statement: TimedStatement): Promise<readonly unknown[]> {
    const { isQuick, isUsuallyQuick, binding, apart, text } = statement;
    const isFast = isQuick === true || isUsuallyQuick === true;
    if (binding || !(isFast || apart) || this.#underWay.isHeldUp(apart?.page.text ?? text)) return this.#readAlone(statement);
    return (apart ? this.#counting : this.#trips).join(statement);
  }

  async #readAlone(statement: TimedStatement): Promise<readonly unknown[]> {
    const [answer] = await this.#connected(statement.waiting, (connection) => this.#readOn(connection, statement));
    return rowsOf(answer);
  }

  /** The server refuses all of a trip with the first that it refuses: then each is sent alone. */
  async #readTogether(passengers: readonly Passenger<TimedStatement>[]): Promise<void> {
    const [first, ...others] = passengers;
    if (first && others.length === 0) {
      first.resolve(this.#readAlone(first.read));
      return;
    }
    let waiting = passengers;
    try {
      const answers = await this.#connected(undefined, async (connection) => {
        waiting = waiting.filter(isAwaited);
        if (!waiting.every(({ read }) => read.isQuick)) waiting = await this.#inTime(connection, waiting);
        return waiting.length === 0 ? [] : this.#run(connection, stepsOf(waiting));
      });
      const total = first?.read.apart && answers.at(-1);
      for (const [index, passenger] of waiting.entries()) settle(passenger, answers[index], total);
    } catch (error) {
      for (const { read, resolve, reject } of waiting) {
        if (isRefusedByServer(error)) resolve(this.#readAlone(read));
        else reject(error);
      }
    }
  }

  /** Those whose time the connection keeps. The others are read alone, each in a transaction. */
  async #inTime(
    connection: PoolConnection,
    passengers: readonly Passenger<TimedStatement>[],
  ): Promise<readonly Passenger<TimedStatement>[]> {
    const kept: Passenger<TimedStatement>[] = [];
    for (const passenger of passengers) {
      const { isQuick, timeout } = passenger.read;
      if (isQuick || timeout === undefined || (await connection.keepsTime(timeout))) kept.push(passenger);
      else passenger.resolve(this.#readAlone(passenger.read));
    }
    return kept;
  }

  /** Runs steps on a connection of the pool. */
  async #connected(
    waiting: Waiting | undefined,
    run: (connection: PoolConnection) => Promise<readonly StepAnswer[]>,
  ): Promise<readonly StepAnswer[]> {
    const client = await this.pool.connect();
    const unwatch = watch(client);
    // Until something is sent.
    let isSound = true;
    try {
      waiting?.throwIfAborted();
      isSound = false;
      const connection = connectionOf(client);
      const answers = await run(connection).catch(async (error: unknown) => {
        isSound = await connection.recover(error);
        if (!isSound || !isForgotten(error)) throw error;
        isSound = false;
        this.#names.lose();
        connection.forgetPrepared();
        return run(connection);
      });
      isSound = true;
      return answers;
    } finally {
      client.release(!isSound);
      unwatch();
    }
  }

  async #readOn(connection: PoolConnection, statement: TimedStatement): Promise<readonly StepAnswer[]> {
    const { writes = false, isQuick, timeout, binding, onUntimed } = statement;
    const read = stepOf(statement);
    if (binding) return this.#run(connection, within({ text: binding.sql, values: binding.values }, read, writes));
    if (isQuick || timeout === undefined || (await connection.keepsTime(timeout))) return this.#run(connection, [read]);
    onUntimed?.();
    return this.#run(connection, within({ text: `SELECT ${statementTimeoutSql(timeout)}`, values: [] }, read, writes));
  }

  #run(connection: PoolConnection, steps: readonly Step[]): Promise<readonly StepAnswer[]> {
    const answered = this.#underWay.send(steps.flatMap(({ rows, text }) => (rows ? text : [])));
    return connection.run(steps.map((step) => ({ step, name: this.#names.nameOf(step.text) }))).finally(answered);
  }
}

function stepOf(statement: TimedStatement): Step {
  const { text, values, command = 'SELECT' } = statement;
  return { text, values, command, rows: statement };
}

/** Fails a read that nobody waits for any more. */
function isAwaited({ read: { waiting }, reject }: Passenger<TimedStatement>): boolean {
  try {
    waiting?.throwIfAborted();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

/** One that has no answer fails alone. */
function settle({ resolve, reject }: Passenger<TimedStatement>, answer: StepAnswer | undefined, total?: StepAnswer): void {
  try {
    resolve(total ? [...rowsOf(answer), ...rowsOf(total)] : rowsOf(answer));
  } catch (error) {
    reject(error);
  }
}

function rowsOf(answer: StepAnswer | undefined): readonly unknown[] {
  if (!answer) throw new Error('There is no answer.');
  if (answer.error) throw answer.error;
  return answer.rows;
}

/** The steps of a read in a transaction, after the statement that sets what holds in it. The settings end with the transaction. */
function within(setting: Pick<Step, 'text' | 'values'>, read: Step, writes: boolean): readonly Step[] {
  return [writes ? BEGIN : BEGIN_READ, { ...setting, command: 'SELECT' }, read, COMMIT];
}

/** Those that have the same total. */
function ofEachTotal(passengers: readonly Passenger<TimedStatement>[]): Iterable<readonly Passenger<TimedStatement>[]> {
  const groups = new Map<string, Passenger<TimedStatement>[]>();
  for (const passenger of passengers) {
    const total = passenger.read.apart?.total;
    const key = JSON.stringify([total?.text, total?.values]);
    groups.set(key, [...(groups.get(key) ?? []), passenger]);
  }
  return groups.values();
}

/** The reads of a trip; pages, and after them the total of all of them, as they are at one moment. */
function stepsOf([first, ...others]: readonly Passenger<TimedStatement>[]): readonly Step[] {
  if (!first) return [];
  const steps = [first, ...others].map(({ read }) => stepOf({ ...read, ...read.apart?.page }));
  const { apart } = first.read;
  return apart ? [BEGIN_SNAPSHOT, ...steps, stepOf({ ...first.read, ...apart.total }), COMMIT] : steps;
}

const BEGIN_SNAPSHOT: Step = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [], command: 'BEGIN' };
const BEGIN_READ: Step = { text: 'BEGIN READ ONLY', values: [], command: 'BEGIN' };
const BEGIN: Step = { text: 'BEGIN', values: [], command: 'BEGIN' };
const COMMIT: Step = { text: 'COMMIT', values: [], command: 'COMMIT' };

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
