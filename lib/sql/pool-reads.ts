import { statementTimeoutSql } from '../executor/client/statement-timeout.js';
import type { AbortCheck } from '../executor/deadline.js';
import type { RunTally } from '../executor/run-tally.js';
import { FailedCallError } from '../errors/failed-call-error.js';
import { memberOf } from '../errors/member-of.js';
import type { RowReading, SqlStatement, Step, StepAnswer } from './pipeline.js';
import { isRefusedByServer, PoolConnection } from './pool-connection.js';
import { type Send, transactOn, within } from './pool-transaction.js';
import { type WaitingRead, SharedRoundTrips, InFlight } from './shared-round-trips.js';
import type { SqlConnection, SqlPool } from './sql-pool.js';
import { StatementNames } from './statement-names.js';

/** The caller and the time limit of statements. */
export interface BoundTime {
  /** The timeout in milliseconds; undefined without a limit. Reads that are always cheap need none. */
  readonly timeout: number | undefined;
  /** The statement that binds the transaction to a caller and limits its time. All other statements of the transaction must run after it. */
  readonly binding?: { readonly sql: string; readonly values: readonly string[] };
  /** Called if the connection has no sufficient `statement_timeout`. */
  readonly onUntimed?: () => void;
  /** Counts the statements of the operation. */
  readonly tally?: RunTally | undefined;
}

/** A statement with its time limit, and how its rows are read. */
export interface TimedStatement extends SqlStatement, RowReading, BoundTime {
  /** The command of the statement. @default a statement that reads */
  readonly command?: Step['command'];
  /** Whether the statement writes, even if its command is `SELECT`. @default false */
  readonly writes?: boolean;
  /** Whether the statement may share a round trip, and its total, with statements of other requests. @default false */
  readonly mayShareTrip?: boolean;
  /** Whether the statement is a read that is always cheap, and needs no timeout. @default false */
  readonly isAlwaysQuick?: boolean;
  /** Whether the statement is a read that is usually cheap. It shares a round trip only on a connection with a `statement_timeout`. @default false */
  readonly isUsuallyQuick?: boolean;
  /** The page and its total as two statements. If the read is shared, all reads with the same total in one tick share one count. */
  readonly pageAndTotal?: { readonly page: SqlStatement & Pick<TimedStatement, 'isUsuallyQuick'>; readonly total: SqlStatement };
  /** A statement that runs before it in the transaction of `binding`. If it fails, the transaction is rolled back. */
  readonly before?: SqlStatement;
  /** Throws, before the statement is sent, if the client has disconnected or the deadline has passed. */
  readonly waiting?: AbortCheck;
}

/** The settings of a transaction. */
export interface TransactionSettings extends BoundTime {
  /** Throws, before the transaction begins, if the client has disconnected or the deadline has passed. */
  readonly waiting: AbortCheck;
}

/** The state of each connection. All readers of a pool share it, as they share the connections. */
const CONNECTIONS = new WeakMap<SqlConnection, PoolConnection>();

/** The reads and transactions on a pool of node-postgres. */
export class PoolReads {
  readonly #names = new StatementNames();
  readonly #underWay = new InFlight();
  readonly #trips = new SharedRoundTrips<TimedStatement>((passengers) => void this.#readTogether(passengers));
  readonly #counting = new SharedRoundTrips<TimedStatement>((passengers) => {
    for (const group of ofEachTotal(passengers)) this.#countOnce(group);
  });

  constructor(private readonly pool: SqlPool) {}

  /** Executes a statement and returns its rows. Statements of several requests may share one round trip. */
  read(statement: TimedStatement): Promise<readonly unknown[]> {
    const { mayShareTrip = false, isAlwaysQuick, isUsuallyQuick, binding, pageAndTotal, text } = statement;
    if (!mayShareTrip || binding) return this.#readAlone(statement);
    if (pageAndTotal) return this.#counting.join(statement);
    const isFast = isAlwaysQuick === true || isUsuallyQuick === true;
    return isFast && !this.#underWay.isHeldUp(text) ? this.#trips.join(statement) : this.#readAlone(statement);
  }

  /**
   * Does work in a transaction, and commits it afterwards.
   *
   * @throws the error of the work, the server or the connection
   */
  async transact<Result>(work: (send: Send) => Promise<Result>, settings: TransactionSettings): Promise<Result> {
    const outcome = await this.#connected(settings.waiting, async (connection) => {
      const first = await this.#settingsOf(connection, settings);
      return transactOn((steps) => this.#run(connection, steps), first, work);
    });
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  /**
   * Sends one count for all reads with the same total, and a page for each. A read whose total no other read shares is one statement with both. The
   * shared count ignores the deadlines of single requests.
   */
  #countOnce([first, ...others]: readonly WaitingRead<TimedStatement>[]): void {
    if (!first) return;
    if (others.length === 0) {
      first.resolve(this.#readAlone(first.read));
      return;
    }
    const total = this.#readAlone({ ...first.read, ...first.read.pageAndTotal?.total, waiting: FOR_ALL });
    for (const { read, resolve } of [first, ...others]) {
      if (read.tally) read.tally.isShared = true;
      const { pageAndTotal: own, ...statement } = read;
      const page = this.read({ ...statement, ...own?.page });
      resolve(Promise.all([page, total]).then(([rows, counted]) => [...rows, ...counted]));
    }
  }

  async #readAlone(statement: TimedStatement): Promise<readonly unknown[]> {
    const [answer] = await this.#connected(statement.waiting, (connection) => this.#readOn(connection, statement));
    return extractRows(answer);
  }

  /**
   * Sends statements of several requests in one round trip. If the server rejects one of them, it skips all others, so that each is sent again alone.
   */
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
        if (!waiting.every(({ read }) => read.isAlwaysQuick)) waiting = await this.#inTime(connection, waiting);
        for (const { read } of waiting) countStatements(read, 1, waiting.length > 1);
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

  /** Returns the reads for which the connection has a sufficient `statement_timeout`. Sends each of the others alone, in a transaction. */
  async #inTime(
    connection: PoolConnection,
    passengers: readonly WaitingRead<TimedStatement>[],
  ): Promise<readonly WaitingRead<TimedStatement>[]> {
    const kept: WaitingRead<TimedStatement>[] = [];
    for (const passenger of passengers) {
      const { isAlwaysQuick, timeout } = passenger.read;
      if (isAlwaysQuick || timeout === undefined || (await connection.keepsTime(timeout))) kept.push(passenger);
      else passenger.resolve(this.#readAlone(passenger.read));
    }
    return kept;
  }

  /** Runs statements on a connection of the pool. If the server has lost its prepared statements, runs them once more. */
  async #connected<Result>(waiting: AbortCheck | undefined, run: (connection: PoolConnection) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    const unwatch = watch(client);
    // The connection can be used again as long as nothing was sent.
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
    const { writes = false, isAlwaysQuick, binding, before } = statement;
    countStatements(statement, before ? 2 : 1);
    const read = stepOf(statement);
    const settings = isAlwaysQuick && !binding ? [] : await this.#settingsOf(connection, statement);
    if (settings.length === 0) return this.#run(connection, [read]);
    return this.#run(connection, within(before ? [...settings, before] : settings, read, writes));
  }

  /** Returns the statement that binds a transaction, or the one that limits its time, if the connection has no sufficient `statement_timeout`. */
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

function countStatements({ tally }: BoundTime, count: number, isShared = false): void {
  if (!tally) return;
  tally.statements += count;
  if (isShared) tally.isShared = true;
}

function stepOf(statement: TimedStatement): Step {
  const { text, values, command = 'SELECT' } = statement;
  return { text, values, command, rows: statement };
}

/** Whether a read is still awaited. If its client has disconnected or its deadline has passed, rejects it. */
function isAwaited({ read: { waiting }, reject }: WaitingRead<TimedStatement>): boolean {
  try {
    waiting?.throwIfAborted();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

/** Resolves a read with its rows, or rejects it. Other reads of the same round trip are not affected. */
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

/** For a shared read. Some of its requests may have been aborted. */
const FOR_ALL: AbortCheck = { throwIfAborted: () => undefined };

/** Groups reads by their total. */
function ofEachTotal(passengers: readonly WaitingRead<TimedStatement>[]): Iterable<readonly WaitingRead<TimedStatement>[]> {
  const groups = new Map<string, WaitingRead<TimedStatement>[]>();
  for (const passenger of passengers) {
    const total = passenger.read.pageAndTotal?.total;
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

/** Whether the server reports that the name of a prepared statement is invalid, or already in use. */
function isForgotten(error: unknown): boolean {
  return /^(?:26000|42P05)$/.test(String(memberOf(error, 'code')));
}

/**
 * Adds a listener of `error` while the connection is in use, and returns how to remove it. A lost connection emits `error`, and without a listener
 * this ends the process. The pool listens only to idle connections.
 */
function watch(client: SqlConnection): () => void {
  const { on, removeListener } = client as Partial<NodeJS.EventEmitter>;
  if (!on || !removeListener) return () => undefined;
  on.call(client, 'error', ignore);
  return () => removeListener.call(client, 'error', ignore);
}

/** Ignores the error, with which the read itself fails. */
function ignore(): void {
  return;
}
