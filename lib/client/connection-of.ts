import type { Connection } from './connection.js';

const connections = new WeakMap<object, Connection>();

export function setConnection(client: object, connection: Connection): void {
  connections.set(client, connection);
}

/** Returns the connection of a client. @throws TypeError for a value that is no client of `createRpcClient` */
export function connectionOf(client: object): Connection {
  const connection = connections.get(client);
  if (connection) return connection;
  throw new TypeError('This is no client of createRpcClient of this package.');
}
