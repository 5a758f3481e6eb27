import type { DataClient } from '../data-client.js';
import type { Executor } from '../executor.js';

/**
 * Compiles the SQL condition that a connection already has a `statement_timeout` of at most so many milliseconds. The role, the database or the
 * adapter may set it. Such a timeout is never extended.
 */
export function isKept(timeout: number): string {
  return `extract(epoch FROM current_setting('statement_timeout')::interval) * 1000 BETWEEN 1 AND ${timeout}`;
}

/**
 * Compiles an expression of a `SELECT` list that sets the `statement_timeout` of the transaction. The argument `true` makes it `SET LOCAL`.
 *
 * @param timeout whole milliseconds; never a value of a request
 */
export function statementTimeoutSql(timeout: number): string {
  const value = `CASE WHEN ${isKept(timeout)} THEN current_setting('statement_timeout') ELSE '${timeout}' END`;
  return `set_config('statement_timeout', ${value}, true)`;
}

/** Whether a client has raw SQL, as the clients of Prisma and ZenStack do. */
function isSqlClient(client: object): boolean {
  return typeof Reflect.get(client, '$queryRawUnsafe') === 'function';
}

/**
 * Whether a client has Prisma's extension for read replicas. Because that extension sends every transaction to the primary database, reads run
 * outside of transactions, and only the response has a time limit.
 */
function readsReplicas(client: object): boolean {
  return typeof Reflect.get(client, '$replica') === 'function';
}

/** A function that returns the same client with a time limit for every statement, without additional statements. */
type Bind = (timeout: number) => DataClient;

const BINDINGS = new WeakMap<DataClient, Bind>();

/** Registers how a client limits the time of its statements itself. */
export function registerTimeoutBinding(client: DataClient, bind: Bind): void {
  BINDINGS.set(client, bind);
}

/** A client, and what a plan needs so that its statements have a time limit. */
export interface TimedClient {
  readonly client: DataClient;
  /** Must run first in the transaction. */
  readonly prepare?: (open: Executor) => Promise<void>;
  /** Whether reads must run in a transaction, too. */
  readonly wrapsReads: boolean;
}

/** Limits the time of statements in PostgreSQL itself, so that they end even after the client has disconnected. */
export class StatementTimeouts {
  /** Clients whose connections have a sufficient `statement_timeout`. */
  readonly #keeping = new WeakSet<DataClient>();

  /**
   * @param timeout milliseconds; undefined on databases without such a setting
   * @param onUntimed called for connections without a sufficient `statement_timeout`
   */
  constructor(
    readonly timeout: number | undefined,
    private readonly onUntimed: () => void = () => undefined,
  ) {}

  bind(client: DataClient): TimedClient {
    const { timeout } = this;
    if (timeout === undefined) return { client, wrapsReads: false };
    const bind = BINDINGS.get(client);
    // Outside of a transaction, each operation would need a separate transaction.
    if (bind) return { client: bind(timeout), wrapsReads: true };
    if (this.#keeping.has(client) || !isSqlClient(client)) return { client, wrapsReads: false };
    return { client, wrapsReads: !readsReplicas(client), prepare: (open) => this.#prepare(client, open, timeout) };
  }

  async #prepare(client: DataClient, { sql }: Executor, timeout: number): Promise<void> {
    if (!sql) return;
    const set = await sql(`SELECT set_config('statement_timeout', '${timeout}', true) WHERE NOT (${isKept(timeout)})`, []);
    if (set.length === 0) this.#keeping.add(client);
    else this.onUntimed();
  }
}

const TEXTS = {
  client: {
    name: 'data client',
    cost: 'a read through Prisma takes three statements more, and a write one',
    made: 'new PrismaPg({ connectionString',
  },
  pool: { name: 'pool that SQL runs on', cost: 'a read runs in a transaction that sets it', made: 'new Pool({ connectionString' },
} as const;

/** Which connections have no sufficient `statement_timeout`. */
export type UntimedConnections = keyof typeof TEXTS;

/** Returns the notice about connections without a sufficient `statement_timeout`: what they cost, and how to set it. */
export function statementTimeoutNotice(connections: UntimedConnections, limit: number): string {
  const { name, cost, made } = TEXTS[connections];
  return (
    `The connections of the ${name} have no statement_timeout of at most ${limit} ms (limits.maxDuration). ` +
    `Without it, ${cost}. Set it where they are made: ${made}, statement_timeout: ${limit} }); ` +
    `or, behind a connection pooler, for the role: ALTER ROLE … SET statement_timeout = ${limit}.`
  );
}
