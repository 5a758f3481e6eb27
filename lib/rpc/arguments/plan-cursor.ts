import type { Resource } from '../../model/surface/surface.js';
import type { KeyCondition } from '../../query/condition.js';
import type { ArgumentPath } from './argument-path.js';
import { planKey } from './plan-unique-where.js';
import { requireAction } from './require-action.js';
import { readObject } from '../../prisma/typed-slots.js';

/**
 * Plans a `cursor`: the values of unique keys, and nothing else.
 *
 * Prisma's types take a whole `WhereUniqueInput` here. Its query compiler panics at a filter in one, and a client that has panicked does not
 * recover.
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
