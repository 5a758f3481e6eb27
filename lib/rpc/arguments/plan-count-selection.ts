import { givenEntries } from '../../model/given-entries.js';
import { type Relationship, type Resource } from '../../model/resource-model.js';
import { planWhere } from './plan-where.js';
import { requireAction } from './require-action.js';
import { type Spot } from './spot.js';
import { readObject } from './typed-slots.js';

/**
 * Plans `_count` in a selection: how many related records there are, `{ select: { posts: true, comments: { where } } }`.
 *
 * Prisma takes `true` for every to-many relation, hidden ones included; so it is spelled out as those that may be read.
 */
export function planCountSelection(resource: Resource, value: unknown, spot: Spot): unknown {
  if (value === false) return false;
  if (value === true) return countAll(resource, spot);
  const { select, ...others } = readObject(value, spot);
  for (const key of Object.keys(others)) spot.member(key).refuseUnknown(['select']);
  if (select === true) return countAll(resource, spot);
  const place = spot.member('select');
  return {
    select: Object.fromEntries(
      givenEntries(readObject(select, place)).map(([key, wanted]) => [
        key,
        planCounted(resource, key, { wanted, spot: place.member(key) }),
      ]),
    ),
  };
}

function countAll(resource: Resource, spot: Spot): unknown {
  const names = resource.relationships.filter(isCountable).map(({ name }) => name);
  if (names.length === 0) spot.refuseUnknown([]);
  return { select: Object.fromEntries(names.map((name) => [name, true])) };
}

function isCountable({ many, rights, target }: Relationship): boolean {
  return many && rights.read && target.actions.has('read');
}

interface Counted {
  readonly wanted: unknown;
  readonly spot: Spot;
}

function planCounted(resource: Resource, name: string, { wanted, spot }: Counted): unknown {
  const field = resource.fields.get(name);
  if (field?.kind !== 'relationship' || !field.many)
    return spot.refuseUnknown(resource.relationships.filter(isCountable).map((known) => known.name));
  if (typeof wanted === 'boolean' && !wanted) return false;
  if (!field.rights.read) spot.refuse('may not be read.', 'invalid-fields');
  requireAction(field.target, 'read', spot);
  if (wanted === true) return true;
  const { where, ...others } = readObject(wanted, spot);
  for (const key of Object.keys(others)) spot.member(key).refuseUnknown(['where']);
  return where === undefined ? {} : { where: planWhere(field.target, where, spot.member('where')) };
}
