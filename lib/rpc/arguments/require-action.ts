import { ApiError } from '../../errors/api-error.js';
import type { Action, Resource } from '../../model/surface/surface.js';
import type { Place } from '../../prisma/place.js';
import { pathOf } from './argument-path.js';

/**
 * Refuses what needs a closed action of a model: 403, before any SQL (decisions, "REST details"). Rows of a model that is closed to reading
 * are not filtered by either, at whatever hop: an answer that depends on them tells about them.
 */
export function requireAction(resource: Resource, action: Action, place: Place): void {
  if (resource.actions.has(action)) return;
  const fault = `${resource.model} is closed to ${action}.`;
  throw new ApiError('forbidden', `${place.text}: ${fault}`, { ...pathOf(place), fault });
}
