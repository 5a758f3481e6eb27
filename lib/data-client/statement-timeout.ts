import type { DataClient } from './data-client.js';

/**
 * Whether the connection already ends statements within so many milliseconds (PostgreSQL's own `statement_timeout`, set for the role, the
 * database or by the adapter). That is never made longer.
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

/** A client of raw SQL, as Prisma's and ZenStack's are. */
interface SqlClient {
  readonly $queryRawUnsafe: (sql: string) => Promise<unknown>;
}

function isSqlClient(client: object): client is SqlClient {
  return typeof Reflect.get(client, '$queryRawUnsafe') === 'function';
}

/** Prisma's extension for read replicas sends every transaction to the primary database: its reads stay outside, and only their answer keeps time. */
function readsReplicas(client: object): boolean {
  return typeof Reflect.get(client, '$replica') === 'function';
}

/** Gives the same client with every statement of it bound in time; at no statement more. */
type Bind = (timeout: number) => DataClient;

const BINDINGS = new WeakMap<DataClient, Bind>();

/** Says how a client bounds its statements by itself. */
export function bindsStatements(client: DataClient, bind: Bind): void {
  BINDINGS.set(client, bind);
}

/** What of a plan has to be done so that its statements end in time. */
export interface TimedClient {
  readonly client: DataClient;
  /** Has to come first in a transaction. */
  readonly prepare?: (open: DataClient) => Promise<void>;
  /** Whether reads, too, have to be put into a transaction for it. */
  readonly wrapsReads: boolean;
}

/** Keeps time on PostgreSQL: the statements of a plan end there, whether anyone waits for them or not. */
export class StatementTimeouts {
  /** Clients whose connections end statements in time by themselves. */
  readonly #keeping = new WeakSet<DataClient>();

  /** @param timeout milliseconds; undefined on databases that cannot be told */
  constructor(readonly timeout: number | undefined) {}

  bind(client: DataClient): TimedClient {
    const { timeout } = this;
    if (timeout === undefined) return { client, wrapsReads: false };
    const bind = BINDINGS.get(client);
    // Alone, each operation of it would take a transaction of its own.
    if (bind) return { client: bind(timeout), wrapsReads: true };
    if (this.#keeping.has(client) || !isSqlClient(client)) return { client, wrapsReads: false };
    return { client, wrapsReads: !readsReplicas(client), prepare: (open) => this.#prepare(client, open, timeout) };
  }

  async #prepare(client: DataClient, open: DataClient, timeout: number): Promise<void> {
    if (!isSqlClient(open)) return;
    const set = await open.$queryRawUnsafe(`SELECT set_config('statement_timeout', '${timeout}', true) WHERE NOT (${isKept(timeout)})`);
    if (Array.isArray(set) && set.length === 0) this.#keeping.add(client);
  }
}
