import { memberOf } from '../errors/member-of.js';
import { onceEach } from '../utils/once.js';
import { extensionsOf, ROW_LEVEL_SECURITY } from './extensions-of.js';

const BOUND = new WeakSet<object>();

/** Keeps that a client shows its caller's rows alone. */
export function bindsCaller(client: object): void {
  BOUND.add(client);
}

/** Whether a client is bound to a caller, as far as that can be seen: by `withRowLevelSecurity`, or by ZenStack's policies. */
export function isBound(client: object): boolean {
  return BOUND.has(client) || isBoundByItself(client);
}

const isBoundByItself = onceEach(
  (client: object) => hasPolicies(client) || (extensionsOf(client) ?? []).some((one) => memberOf(one, 'name') === ROW_LEVEL_SECURITY),
);

/** ZenStack 3 names the plugin of its policies so; without an identity, they refuse by default. */
function hasPolicies(client: object): boolean {
  const plugins = memberOf(memberOf(client, '$options'), 'plugins');
  return Array.isArray(plugins) && plugins.some((plugin) => memberOf(plugin, 'id') === 'policy');
}
