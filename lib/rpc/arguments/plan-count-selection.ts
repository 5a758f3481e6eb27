import { givenEntries } from '../../model/given-entries.js';
import { storedHop } from '../../model/storage/stored-model.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import { ALWAYS, type Condition } from '../../query/condition.js';
import type { CountsMember, RelatedCount } from '../../query/selection.js';
import { planWhere } from './plan-where.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { readObject } from '../../prisma/typed-slots.js';

/**
 * Plans `_count` in a selection, which counts related records: `{ select: { posts: true, comments: { where } } }`.
 *
 * `true` is replaced by the list of readable to-many relations, because for Prisma it includes hidden ones.
 */
export function planCountSelection(resource: Resource, value: unknown, path: ArgumentPath): CountsMember | undefined {
  if (value === false) return undefined;
  if (value === true) return countAll(resource, path);
  const { select, ...others } = readObject(value, path);
  for (const key of Object.keys(others)) path.member(key).refuseUnknown(['select']);
  if (select === true) return countAll(resource, path);
  const place = path.member('select');
  const counts = givenEntries(readObject(select, place)).flatMap(([key, wanted]) => {
    return planCounted(resource, key, { wanted, path: place.member(key) }) ?? [];
  });
  if (counts.length === 0) place.refuse('must name at least one relation to count.', 'invalid-fields');
  return { kind: 'counts', counts };
}

function countAll(resource: Resource, path: ArgumentPath): CountsMember {
  const counted = resource.relationships.filter(isCountable);
  if (counted.length === 0) path.refuseUnknown([]);
  return { kind: 'counts', counts: counted.map((relationship) => count(relationship, ALWAYS, path)) };
}

function count(relationship: Relationship, where: Condition, { storage }: ArgumentPath): RelatedCount {
  return { ...storedHop(storage, relationship), where };
}

function isCountable({ many, rights, target }: Relationship): boolean {
  return many && rights.read && target.actions.has('read');
}

interface Counted {
  readonly wanted: unknown;
  readonly path: ArgumentPath;
}

function planCounted(resource: Resource, name: string, { wanted, path }: Counted): RelatedCount | undefined {
  const field = resource.fields.get(name);
  if (field?.kind !== 'relationship' || !field.many)
    return path.refuseUnknown(resource.relationships.filter(isCountable).map((known) => known.name));
  if (wanted === false) return undefined;
  if (!field.rights.read) path.refuse('may not be read.', 'invalid-fields');
  requireAction(field.target, 'read', path);
  if (wanted === true) return count(field, ALWAYS, path);
  const { where, ...others } = readObject(wanted, path);
  for (const key of Object.keys(others)) path.member(key).refuseUnknown(['where']);
  return count(field, where === undefined ? ALWAYS : planWhere(field.target, where, path.member('where')), path);
}
