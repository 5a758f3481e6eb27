import { memberOf } from '../errors/member-of.js';
import type { DataClient } from './data-client.js';

const ROLES = new WeakMap<object, string>();

/** Registers the database role that a client runs its statements as. */
export function registerRole(client: object, role: string): void {
  ROLES.set(client, role);
}

/**
 * Returns the role of a client, for the log: the registered one, or else the one that PostgreSQL reports. Returns undefined if PostgreSQL cannot be
 * queried: a client without `$transaction` is in a transaction of the application, which a failed statement has aborted.
 */
export async function databaseRole(client: DataClient): Promise<string | undefined> {
  const bound = ROLES.get(client);
  if (bound !== undefined || !hasRawSql(client)) return bound;
  try {
    const [row] = await client.$queryRawUnsafe('SELECT current_user::text AS "role"');
    const role = memberOf(row, 'role');
    return typeof role === 'string' ? role : undefined;
  } catch {
    return undefined;
  }
}

interface SqlClient {
  readonly $queryRawUnsafe: (sql: string) => Promise<readonly unknown[]>;
}

function hasRawSql(client: object): client is SqlClient {
  return ['$transaction', '$queryRawUnsafe'].every((name) => typeof memberOf(client, name) === 'function');
}
