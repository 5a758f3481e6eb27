import { uniqueWhere } from '../../model/values/resource-id.js';
import type { Relationship } from '../../model/surface/surface.js';
import type { Linkage, LinkedRecord } from '../parse/write-intent.js';

/** Part of the `data` of a write, by Prisma's field names. */
export type Data = Readonly<Record<string, unknown>>;

/**
 * How linkage is changed: `attach` by a create, where there is none before; `replace` as a whole; `add` and `remove` members of to-many.
 */
export type LinkageChange = 'attach' | 'replace' | 'add' | 'remove';

/**
 * The nested write by which the data client changes a relationship. It touches nothing of the related records but the key, and is empty where
 * there is nothing to do.
 */
export function relationData({ relationship, records }: Linkage, change: LinkageChange): Data {
  const write = relationship.many ? toMany(relationship, records, change) : toOne(relationship, records, change);
  return write ? { [relationship.name]: write } : {};
}

/**
 * Whether the related records hold the key and cannot be without it. A check before the write then makes sure that none would be
 * (`orphanCheck`), so that there is nothing left to take away.
 */
export function isRequiredThere({ link, opposite, target }: Relationship): boolean {
  if (link !== 'target-key' || opposite === undefined) return false;
  const other = target.fields.get(opposite);
  return other?.kind === 'relationship' && !other.optional;
}

function toMany(relationship: Relationship, records: readonly LinkedRecord[], change: LinkageChange): Data | undefined {
  const wheres = records.map((record) => whereOf(relationship, record));
  if (change === 'replace' && !isRequiredThere(relationship)) return { set: wheres };
  if (wheres.length === 0) return undefined;
  if (change !== 'remove') return { connect: wheres };
  return isRequiredThere(relationship) ? undefined : { disconnect: wheres };
}

function toOne(relationship: Relationship, records: readonly LinkedRecord[], change: LinkageChange): Data | undefined {
  const [record] = records;
  if (record) return { connect: whereOf(relationship, record) };
  return change === 'attach' || isRequiredThere(relationship) ? undefined : { disconnect: true };
}

function whereOf({ target }: Relationship, { id }: LinkedRecord): Record<string, unknown> {
  return uniqueWhere(target.identifier, id.values);
}
