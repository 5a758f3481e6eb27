import { reachesRows } from '../model/surface/reaches-rows.js';
import type { OwnAction, Resource, Surface } from '../model/surface/surface.js';
import type { RecordShape } from '../validation/record-shape.js';
import { type JsonSchema, objectOf } from './json-schema.js';

/** The host's own operations on a resource that are open. */
export function ownActionsOf(resource: Resource, surface: Surface): readonly OwnAction[] {
  const actions = [...(surface.ownActions?.get(resource.model)?.values() ?? [])];
  return actions.filter(({ right }) => resource.actions.has(right) && reachesRows(surface, resource, right));
}

/** What a validator of the host requires of a body. */
export function bodySchema({ fields, required }: RecordShape): JsonSchema {
  return objectOf(Object.fromEntries(fields), [...required]);
}
