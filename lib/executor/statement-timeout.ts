import type { DataClient } from './data-client.js';
import type { Executor } from './executor.js';

/**
 * Whether the connection already ends statements within so many milliseconds (PostgreSQL's own `statement_timeout`, set for the role, the
 * database or by the adapter). Such a timeout is never extended.
 */
export function isKept(timeout: number): string {
  return `extract(epoch FROM current_setting('statement_timeout')::interval) * 1000 BETWEEN 1 AND ${timeout}`;
}

/**
 * SQL for a `SELECT` list: has PostgreSQL end every statement of the transaction that takes longer. `true` makes it `SET LOCAL`.
 *
 * @param timeout whole milliseconds; not from a request
 */
export function statementTimeoutSql(timeout: number): string {
  const value = `CASE WHEN ${isKept(timeout)} THEN current_setting('statement_timeout') ELSE '${timeout}' END`;
  return `set_config('statement_timeout', ${value}, true)`;
}

/** Prisma's and ZenStack's clients have raw SQL. */
function isSqlClient(client: object): boolean {
  return typeof Reflect.get(client, '$queryRawUnsafe') === 'function';
}

/**
 * Prisma's extension for read replicas sends every transaction to the primary database. So its reads run outside of transactions, and only the
 * response has a time limit.
 */
function readsReplicas(client: object): boolean {
  return typeof Reflect.get(client, '$replica') === 'function';
}

/** Returns the same client with a time limit for every statement, without additional statements. */
type Bind = (timeout: number) => DataClient;

const BINDINGS = new WeakMap<DataClient, Bind>();

/** Returns how a client limits the time of its statements by itself. */
export function bindsStatements(client: DataClient, bind: Bind): void {
  BINDINGS.set(client, bind);
}

/** What a plan needs so that its statements end in time. */
export interface TimedClient {
  readonly client: DataClient;
  /** Must run first in the transaction. */
  readonly prepare?: (open: Executor) => Promise<void>;
  /** Whether reads must run in a transaction for it, too. */
  readonly wrapsReads: boolean;
}

/** Limits the time of statements on PostgreSQL itself, so that they end even if nobody waits for them. */
export class StatementTimeouts {
  /** Clients whose connections have a sufficient `statement_timeout`. */
  readonly #keeping = new WeakSet<DataClient>();

  /**
   * @param timeout milliseconds; undefined on databases without such a setting
   * @param onUntimed called for connections that lack it
   */
  constructor(
    readonly timeout: number | undefined,
    private readonly onUntimed: () => void = () => undefined,
  ) {}

  bind(client: DataClient): TimedClient {
    const { timeout } = this;
    if (timeout === undefined) return { client, wrapsReads: false };
    const bind = BINDINGS.get(client);
    // Outside of one, each operation would need a transaction of its own.
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
  pool: { name: 'pool of withSqlReads', cost: 'a read runs in a transaction that sets it', made: 'new Pool({ connectionString' },
} as const;

/** What connections without a sufficient `statement_timeout` cost, and how to set it. */
export function statementTimeoutNotice(connections: keyof typeof TEXTS, limit: number): string {
  const { name, cost, made } = TEXTS[connections];
  return (
    `The connections of the ${name} have no statement_timeout of at most ${limit} ms (limits.maxDuration). ` +
    `Without it, ${cost}. Set it where they are made: ${made}, statement_timeout: ${limit} }).`
  );
}
