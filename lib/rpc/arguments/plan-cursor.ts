import type { Resource } from '../../model/surface/surface.js';
import type { KeyCondition } from '../../query/condition.js';
import type { ArgumentPath } from './argument-path.js';
import { planKey } from './plan-where.js';
import { requireAction } from './require-action.js';
import { readObject } from '../../prisma/typed-slots.js';

/**
 * Plans a `cursor`, which accepts values of unique keys only.
 *
 * Prisma's types accept a whole `WhereUniqueInput`. But its query compiler panics at a filter in a cursor, and the client cannot be used after a
 * panic.
 */
export function planCursor(resource: Resource, value: unknown, path: ArgumentPath): readonly KeyCondition[] {
  requireAction(resource, 'read', path);
  const planned = Object.entries(readObject(value, path)).map(([name, given]) => {
    const place = path.member(name);
    const key = resource.uniqueKeys.get(name) ?? place.refuseUnknown(resource.uniqueKeys.keys());
    return planKey(key, given, { resource, path: place });
  });
  if (planned.length > 0) return planned;
  return path.refuse(`must name one record of ${resource.model} by a unique key: ${[...resource.uniqueKeys.keys()].join(' or ')}.`);
}
