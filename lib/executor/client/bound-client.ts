import { memberOf } from '../../errors/member-of.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import { extensionsOf, ROW_LEVEL_SECURITY } from './extensions-of.js';
import type { DataClient } from '../data-client.js';

/** Bound clients, with the database role that each runs its statements as. */
const BOUND = new WeakMap<object, string | undefined>();

/** Registers a client that returns only rows that its caller may see, and its role if it has one. */
export function registerBoundClient(client: object, role?: string): void {
  BOUND.set(client, role);
}

/** Whether a client is bound to a caller by `withRowLevelSecurity` or by ZenStack's policies. Other bindings are not detected. */
export function isBound(client: object): boolean {
  return BOUND.has(client) || isBoundByItself(client);
}

const isBoundByItself = memoizeByObject(
  (client: object) => hasPolicies(client) || (extensionsOf(client) ?? []).some((one) => memberOf(one, 'name') === ROW_LEVEL_SECURITY),
);

/** Whether a client has ZenStack 3's policy plugin. Without an identity, its policies deny by default. */
function hasPolicies(client: object): boolean {
  const plugins = memberOf(memberOf(client, '$options'), 'plugins');
  return Array.isArray(plugins) && plugins.some((plugin) => memberOf(plugin, 'id') === 'policy');
}

/**
 * Returns the role of a client, for the log: the registered one, or else the one that PostgreSQL reports. Returns undefined if PostgreSQL cannot be
 * queried: a client without `$transaction` is in a transaction of the application, which a failed statement has aborted.
 */
export async function databaseRole(client: DataClient): Promise<string | undefined> {
  const bound = BOUND.get(client);
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
