import { ApiError } from '../../errors/api-error.js';
import type { Action, Resource } from '../../model/surface/surface.js';
import { formatId, isDotSegment } from '../../model/values/resource-id.js';
import type { Place } from '../../prisma/place.js';
import type { WrittenField } from '../../query/write.js';
import { type ArgumentPath, pathOf } from './argument-path.js';

/**
 * Rejects an action that a model does not expose: 403, before any SQL. A filter through relations also needs the action
 * `read` of each model, because its result depends on the rows of that model.
 */
export function requireAction(resource: Resource, action: Action, place: Place): void {
  if (resource.actions.has(action)) return;
  const fault = `${resource.model} is closed to ${action}.`;
  throw new ApiError('forbidden', `${place.text}: ${fault}`, { ...pathOf(place), fault });
}

/** Rejects an id that no URL of REST can contain, such as `..`. */
export function requireNameable({ identifier, idDivider, model }: Resource, fields: readonly WrittenField[], path: ArgumentPath): void {
  const [first] = identifier.fields;
  if (idDivider === undefined || first === undefined) return;
  if (!identifier.fields.every(({ name }) => fields.some(({ field }) => field.name === name))) return;
  const values = Object.fromEntries(fields.map(({ field, value }) => [field.name, value]));
  const text = String(formatId(identifier, values, idDivider));
  if (isDotSegment(text))
    path.member(first.name).refuse(`must not make the id '${text}' of ${model}, which no URL can name.`, 'invalid-id');
}
