import { Logger } from '@nestjs/common';
import { memberOf } from '../errors/member-of.js';
import { errorMessage } from '../errors/error-message.js';
import type { SqlPool } from './sql-pool.js';

/** The pools that already have the listener. */
const LISTENED = new WeakSet<SqlPool>();

/**
 * The minimum number of milliseconds between two log lines of a pool. Because a restart of the database ends all connections, one line reports
 * several.
 */
const LEAST_PAUSE = 1000;

const logger = new Logger('ResourceApi');

/** The connections that already have the listener of {@link keepErrors}. */
const CONNECTIONS = new WeakSet<object>();

/**
 * Logs the connections that a pool loses while they are idle, at most one line a second. The pool removes the connection and opens another one.
 *
 * Because a pool of node-postgres emits `error` for these, Node.js would end a process without a listener.
 *
 * A connection has no listener between its checkout and the continuation of the code that awaits `connect()`. Because a `FATAL` in that moment would
 * end the process, too, each connection gets a listener when the pool hands it out.
 */
export function logLostConnections(pool: SqlPool): void {
  const { on } = pool as Partial<NodeJS.EventEmitter>;
  if (typeof on !== 'function' || LISTENED.has(pool)) return;
  LISTENED.add(pool);
  on.call(pool, 'acquire', keepErrors);
  let unlogged = 0;
  let last = -Infinity;
  on.call(pool, 'error', (error: unknown, client: unknown) => {
    const now = performance.now();
    if (now - last < LEAST_PAUSE) {
      unlogged++;
      return;
    }
    const others = unlogged === 0 ? '' : ` ${unlogged} more were lost since the last line.`;
    logger.warn(`The pool has lost an idle connection to ${hostOf(client)}: ${errorMessage(error).summary}.${others}`);
    [unlogged, last] = [0, now];
  });
}

/**
 * Adds a listener that ignores errors. The statements of a lost connection fail with the error, and the pool removes the connection when it is
 * released.
 */
function keepErrors(client: NodeJS.EventEmitter): void {
  if (CONNECTIONS.has(client)) return;
  CONNECTIONS.add(client);
  client.on('error', () => undefined);
}

function hostOf(client: unknown): string {
  const [host, port] = ['host', 'port'].map((name) => memberOf(client, name));
  return typeof host === 'string' ? `${host}:${String(port)}` : 'the database';
}
