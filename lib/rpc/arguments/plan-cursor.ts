import type { ArgumentPlanner } from './argument-planner.js';
import { planKey } from './plan-unique-where.js';
import { requireAction } from './require-action.js';
import { readObject } from './typed-slots.js';

/**
 * Plans a `cursor`: the values of unique keys, and nothing else.
 *
 * Prisma's types take a whole `WhereUniqueInput` here. Its query compiler panics at a filter in one, and a client that has panicked does not
 * recover.
 */
export const planCursor: ArgumentPlanner = (resource, value, path) => {
  requireAction(resource, 'read', path);
  const planned = Object.entries(readObject(value, path)).map(([name, given]) => {
    const place = path.member(name);
    const key = resource.uniqueKeys.get(name) ?? place.refuseUnknown(resource.uniqueKeys.keys());
    return [name, planKey(key, given, place)] as const;
  });
  if (planned.length > 0) return Object.fromEntries(planned);
  return path.refuse(`must name one record of ${resource.model} by a unique key: ${[...resource.uniqueKeys.keys()].join(' or ')}.`);
};
