import type { Storage } from '../../model/storage/storage.js';
import { storedHop } from '../../model/storage/stored-model.js';
import type { Relationship } from '../../model/surface/surface.js';
import { ALWAYS, type UniqueCondition } from '../../query/condition.js';
import { uniqueCondition } from '../../query/key.js';
import type { Verb, WrittenRelation } from '../../query/write.js';
import type { Linkage } from '../parse/write-intent.js';

/**
 * How linkage is changed: `attach` by a create, where there is none before; `replace` as a whole; `add` and `remove` members of to-many.
 */
export type LinkageChange = 'attach' | 'replace' | 'add' | 'remove';

/**
 * The nested write by which the data client changes a relationship. It touches nothing of the related records but the key, and is undefined
 * where there is nothing to do.
 */
export function writtenRelation(linkage: Linkage, change: LinkageChange, storage: Storage): WrittenRelation | undefined {
  const hop = storedHop(storage, linkage.relationship);
  const { identifier } = linkage.relationship.target;
  const rows = linkage.records.map(({ id }) => uniqueCondition(hop.target, identifier, id.values));
  const verbs = verbsOf(linkage.relationship, rows, change);
  return verbs.length > 0 ? Object.freeze({ ...hop, verbs: Object.freeze(verbs) }) : undefined;
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

function verbsOf(relationship: Relationship, rows: readonly UniqueCondition[], change: LinkageChange): readonly Verb[] {
  const isFree = !isRequiredThere(relationship);
  if (change === 'remove') return isFree ? rows.map((row) => ({ kind: 'disconnect', row })) : [];
  if (change === 'replace' && isFree && relationship.many) return [{ kind: 'set', rows }];
  if (change === 'replace' && isFree && rows.length === 0) return [{ kind: 'disconnect', row: ALWAYS }];
  return rows.map((row) => ({ kind: 'connect', row }));
}
