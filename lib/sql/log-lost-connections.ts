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

/** The connections that already have the listener. */
const CONNECTIONS = new WeakSet<object>();

/**
 * Logs the connections that a pool loses, at most one line a second. The pool removes the connection and opens another one.
 *
 * Because a pool of node-postgres emits `error` for an idle connection, Node.js would end a process without a listener.
 *
 * A connection has no listener between its checkout and the continuation of the code that awaits `connect()`. Because a `FATAL` in that moment would
 * end the process, too, each connection gets a listener when the pool hands it out. Between two statements of a transaction, this listener alone
 * receives the cause: the next statement only reports that the connection is "not queryable".
 */
export function logLostConnections(pool: SqlPool): void {
  const { on } = pool as Partial<NodeJS.EventEmitter>;
  if (typeof on !== 'function' || LISTENED.has(pool)) return;
  LISTENED.add(pool);
  const log = lostConnectionLog();
  on.call(pool, 'error', log);
  on.call(pool, 'acquire', (connection: NodeJS.EventEmitter) => {
    if (CONNECTIONS.has(connection)) return;
    CONNECTIONS.add(connection);
    connection.on('error', (error) => {
      log(error, connection);
    });
  });
}

/** Returns the log of a pool. A lost connection may report several errors. The first one is the cause. */
function lostConnectionLog(): (error: unknown, connection: unknown) => void {
  const lost = new WeakSet();
  let unlogged = 0;
  let last = -Infinity;
  return (error, connection) => {
    if (typeof connection === 'object' && connection !== null) {
      if (lost.has(connection)) return;
      lost.add(connection);
    }
    const now = performance.now();
    if (now - last < LEAST_PAUSE) {
      unlogged++;
      return;
    }
    const others = unlogged === 0 ? '' : ` ${unlogged} more were lost since the last line.`;
    logger.warn(`The pool has lost a connection to ${addressOf(connection)}: ${errorMessage(error).summary}.${others}`);
    [unlogged, last] = [0, now];
  };
}

function addressOf(client: unknown): string {
  const [host, port] = ['host', 'port'].map((name) => memberOf(client, name));
  return typeof host === 'string' ? `${host}:${String(port)}` : 'the database';
}
