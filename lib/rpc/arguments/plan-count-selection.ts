import { givenEntries } from '../../model/given-entries.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import { planWhere } from './plan-where.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { readObject } from './typed-slots.js';

/**
 * Plans `_count` in a selection: how many related records there are, `{ select: { posts: true, comments: { where } } }`.
 *
 * Prisma takes `true` for every to-many relation, hidden ones included; so it is spelled out as those that may be read.
 */
export function planCountSelection(resource: Resource, value: unknown, path: ArgumentPath): unknown {
  if (value === false) return false;
  if (value === true) return countAll(resource, path);
  const { select, ...others } = readObject(value, path);
  for (const key of Object.keys(others)) path.member(key).refuseUnknown(['select']);
  if (select === true) return countAll(resource, path);
  const place = path.member('select');
  const counted = givenEntries(readObject(select, place)).map(
    ([key, wanted]) => [key, planCounted(resource, key, { wanted, path: place.member(key) })] as const,
  );
  if (counted.every(([, wanted]) => wanted === false)) place.refuse('must name at least one relation to count.', 'invalid-fields');
  return { select: Object.fromEntries(counted) };
}

function countAll(resource: Resource, path: ArgumentPath): unknown {
  const names = resource.relationships.filter(isCountable).map(({ name }) => name);
  if (names.length === 0) path.refuseUnknown([]);
  return { select: Object.fromEntries(names.map((name) => [name, true])) };
}

function isCountable({ many, rights, target }: Relationship): boolean {
  return many && rights.read && target.actions.has('read');
}

interface Counted {
  readonly wanted: unknown;
  readonly path: ArgumentPath;
}

function planCounted(resource: Resource, name: string, { wanted, path }: Counted): unknown {
  const field = resource.fields.get(name);
  if (field?.kind !== 'relationship' || !field.many)
    return path.refuseUnknown(resource.relationships.filter(isCountable).map((known) => known.name));
  if (typeof wanted === 'boolean' && !wanted) return false;
  if (!field.rights.read) path.refuse('may not be read.', 'invalid-fields');
  requireAction(field.target, 'read', path);
  if (wanted === true) return true;
  const { where, ...others } = readObject(wanted, path);
  for (const key of Object.keys(others)) path.member(key).refuseUnknown(['where']);
  return where === undefined ? {} : { where: planWhere(field.target, where, path.member('where')) };
}
