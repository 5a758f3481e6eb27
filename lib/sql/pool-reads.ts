import { statementTimeoutSql } from '../executor/statement-timeout.js';
import type { Waiting } from '../executor/deadline.js';
import { FailedCallError } from '../errors/failed-call-error.js';
import { memberOf } from '../errors/member-of.js';
import type { RowRules, SqlStatement, Step, StepAnswer } from './pipeline.js';
import { isRefusedByServer, PoolConnection } from './pool-connection.js';
import { type Send, transactOn, within } from './pool-transaction.js';
import { type WaitingRead, SharedRoundTrips, InFlight } from './shared-round-trips.js';
import type { SqlConnection, SqlPool } from './sql-pool.js';
import { StatementNames } from './statement-names.js';

/** For whom statements run, and how long they may. */
export interface BoundTime {
  /** Milliseconds; undefined if there is no limit. Reads that are always fast need none. */
  readonly timeout: number | undefined;
  /** The statement that binds the transaction to a caller and limits its time. If there is one, all others must run after it. */
  readonly binding?: { readonly sql: string; readonly values: readonly string[] };
  /** Called where the connection has no sufficient `statement_timeout` of its own. */
  readonly onUntimed?: () => void;
}

/** A statement, the time that the database may take for it, and what becomes of its rows. */
export interface TimedStatement extends SqlStatement, RowRules, BoundTime {
  /** @default a statement that reads */
  readonly command?: Step['command'];
  /** Whether it writes, whatever its command is called. @default false */
  readonly writes?: boolean;
  /** Whether it may share a round trip, and its total, with statements of other requests. @default false */
  readonly isShared?: boolean;
  /** Whether it is a read that is always fast: it needs no timeout. @default false */
  readonly isQuick?: boolean;
  /** Whether it is a read that is fast but for rare cases: it shares a round trip only on a connection with a `statement_timeout`. @default false */
  readonly isUsuallyQuick?: boolean;
  /** The same as two statements. If it is shared, a total is counted once for all reads with the same total in one tick. */
  readonly apart?: { readonly page: SqlStatement & Pick<TimedStatement, 'isUsuallyQuick'>; readonly total: SqlStatement };
  /** What runs before it in the transaction of `binding`, which ends where this fails. */
  readonly before?: SqlStatement;
  /** Asked once there is a connection: what nobody waits for any more is not sent. */
  readonly waiting?: Waiting;
}

/** How a transaction begins. */
export interface TransactionSettings extends BoundTime {
  /** Asked once there is a connection: what nobody waits for any more is not begun. */
  readonly waiting: Waiting;
}

/** Shared by all that read on a pool, as its connections are. */
const CONNECTIONS = new WeakMap<SqlConnection, PoolConnection>();

/** Reads on a pool of node-postgres. */
export class PoolReads {
  readonly #names = new StatementNames();
  readonly #underWay = new InFlight();
  readonly #trips = new SharedRoundTrips<TimedStatement>((passengers) => void this.#readTogether(passengers));
  readonly #counting = new SharedRoundTrips<TimedStatement>((passengers) => {
    for (const group of ofEachTotal(passengers)) this.#countOnce(group);
  });

  constructor(private readonly pool: SqlPool) {}

  /** The rows of the statement. */
  read(statement: TimedStatement): Promise<readonly unknown[]> {
    const { isShared = false, isQuick, isUsuallyQuick, binding, apart, text } = statement;
    if (!isShared || binding) return this.#readAlone(statement);
    if (apart) return this.#counting.join(statement);
    const isFast = isQuick === true || isUsuallyQuick === true;
    return isFast && !this.#underWay.isHeldUp(text) ? this.#trips.join(statement) : this.#readAlone(statement);
  }

  /**
   * Does work in a transaction, and commits it once it is done.
   *
   * @throws what the work throws, and what the server or the connection fails with
   */
  async transact<Result>(work: (send: Send) => Promise<Result>, settings: TransactionSettings): Promise<Result> {
    const outcome = await this.#connected(settings.waiting, async (connection) => {
      const first = await this.#settingsOf(connection, settings);
      return transactOn((steps) => this.#run(connection, steps), first, work);
    });
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  /** A page that alone asks for its total is one statement with it. Nobody who goes away takes the total from the others. */
  #countOnce([first, ...others]: readonly WaitingRead<TimedStatement>[]): void {
    if (!first) return;
    if (others.length === 0) {
      first.resolve(this.#readAlone(first.read));
      return;
    }
    const total = this.#readAlone({ ...first.read, ...first.read.apart?.total, waiting: FOR_ALL });
    for (const { read, resolve } of [first, ...others]) {
      const { apart: own, ...statement } = read;
      const page = this.read({ ...statement, ...own?.page });
      resolve(Promise.all([page, total]).then(([rows, counted]) => [...rows, ...counted]));
    }
  }

  async #readAlone(statement: TimedStatement): Promise<readonly unknown[]> {
    const [answer] = await this.#connected(statement.waiting, (connection) => this.#readOn(connection, statement));
    return extractRows(answer);
  }

  /** The server refuses all of a trip with the first that it refuses: then each is sent alone. */
  async #readTogether(passengers: readonly WaitingRead<TimedStatement>[]): Promise<void> {
    const [only, ...others] = passengers;
    if (only && others.length === 0) {
      only.resolve(this.#readAlone(only.read));
      return;
    }
    let waiting = passengers;
    try {
      const answers = await this.#connected(undefined, async (connection) => {
        waiting = waiting.filter(isAwaited);
        if (!waiting.every(({ read }) => read.isQuick)) waiting = await this.#inTime(connection, waiting);
        const steps = waiting.map(({ read }) => stepOf(read));
        return steps.length === 0 ? [] : this.#run(connection, steps);
      });
      for (const [index, passenger] of waiting.entries()) settle(passenger, answers[index]);
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
    passengers: readonly WaitingRead<TimedStatement>[],
  ): Promise<readonly WaitingRead<TimedStatement>[]> {
    const kept: WaitingRead<TimedStatement>[] = [];
    for (const passenger of passengers) {
      const { isQuick, timeout } = passenger.read;
      if (isQuick || timeout === undefined || (await connection.keepsTime(timeout))) kept.push(passenger);
      else passenger.resolve(this.#readAlone(passenger.read));
    }
    return kept;
  }

  /** Runs steps on a connection of the pool. */
  async #connected<Result>(waiting: Waiting | undefined, run: (connection: PoolConnection) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    const unwatch = watch(client);
    // Until something is sent.
    let isSound = true;
    try {
      waiting?.throwIfAborted();
      isSound = false;
      const connection = connectionOf(client);
      const answers = await run(connection).catch(async (thrown: unknown) => {
        const error = thrown instanceof FailedCallError ? thrown.cause : thrown;
        isSound = await connection.recover(error);
        if (!isSound || !isForgotten(error)) throw thrown;
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
    const { writes = false, isQuick, binding, before } = statement;
    const read = stepOf(statement);
    const settings = isQuick && !binding ? [] : await this.#settingsOf(connection, statement);
    if (settings.length === 0) return this.#run(connection, [read]);
    return this.#run(connection, within(before ? [...settings, before] : settings, read, writes));
  }

  /** What binds a transaction, or limits its time where the connection does not. */
  async #settingsOf(connection: PoolConnection, { timeout, binding, onUntimed }: BoundTime): Promise<readonly SqlStatement[]> {
    if (binding) return [{ text: binding.sql, values: binding.values }];
    if (timeout === undefined || (await connection.keepsTime(timeout))) return [];
    onUntimed?.();
    return [{ text: `SELECT ${statementTimeoutSql(timeout)}`, values: [] }];
  }

  async #run(connection: PoolConnection, steps: readonly Step[]): Promise<readonly StepAnswer[]> {
    const answered = this.#underWay.send(steps.filter(({ rows }) => rows).map(({ text }) => text));
    try {
      return await connection.run(steps.map((step) => ({ step, name: this.#names.nameOf(step.text) })));
    } finally {
      answered();
    }
  }
}

function stepOf(statement: TimedStatement): Step {
  const { text, values, command = 'SELECT' } = statement;
  return { text, values, command, rows: statement };
}

/** Fails a read that nobody waits for any more. */
function isAwaited({ read: { waiting }, reject }: WaitingRead<TimedStatement>): boolean {
  try {
    waiting?.throwIfAborted();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

/** One that has no answer fails alone. */
function settle({ resolve, reject }: WaitingRead<TimedStatement>, answer: StepAnswer | undefined): void {
  try {
    resolve(extractRows(answer));
  } catch (error) {
    reject(error);
  }
}

export function extractRows(answer: StepAnswer | undefined): readonly unknown[] {
  if (!answer) throw new Error('There is no answer.');
  if (answer.error) throw answer.error;
  return answer.rows;
}

/** Of a read that several wait for: one of them may have gone. */
const FOR_ALL: Waiting = { throwIfAborted: () => undefined };

/** Those that have the same total. */
function ofEachTotal(passengers: readonly WaitingRead<TimedStatement>[]): Iterable<readonly WaitingRead<TimedStatement>[]> {
  const groups = new Map<string, WaitingRead<TimedStatement>[]>();
  for (const passenger of passengers) {
    const total = passenger.read.apart?.total;
    const key = JSON.stringify([total?.text, total?.values]);
    groups.set(key, [...(groups.get(key) ?? []), passenger]);
  }
  return groups.values();
}

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
