import type { Action, Resource, Surface } from './surface.js';

/**
 * Whether an action of a model reaches any row for any caller: neither `actions` nor the option `rules` denies it. An update or a delete
 * also needs to read the rows.
 */
export function reachesRows({ rows }: Surface, { model, actions }: Resource, action: Action): boolean {
  const ruled = rows?.get(model);
  if (!actions.has(action)) return false;
  if (ruled === undefined) return true;
  const isBlind = ruled.read === 'closed' && (action === 'update' || action === 'delete');
  return ruled[action] !== 'closed' && !isBlind;
}
