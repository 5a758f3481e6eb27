import { reachesRows } from './reaches-rows.js';
import type { OwnAction, Resource, Surface } from './surface.js';

/** Returns the actions of the application that are exposed on a resource. */
export function ownActionsOf(resource: Resource, surface: Surface): readonly OwnAction[] {
  const actions = [...(surface.ownActions?.get(resource.model)?.values() ?? [])];
  return actions.filter(({ right }) => resource.actions.has(right) && reachesRows(surface, resource, right));
}
