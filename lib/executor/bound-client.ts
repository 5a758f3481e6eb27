import { memberOf } from '../errors/member-of.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';
import { extensionsOf, ROW_LEVEL_SECURITY } from './extensions-of.js';

const BOUND = new WeakSet<object>();

/** Registers a client that returns only rows that its caller may see. */
export function registerBoundClient(client: object): void {
  BOUND.add(client);
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
