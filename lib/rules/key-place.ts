import type { StoredForeignKey, StoredRelation } from '../model/storage/storage.js';

/** Where it is said which rows a relation leads to: in columns of the row that has it, in columns of the rows it leads to, or in a table between. */
export type KeyPlace =
  | { readonly kind: 'own'; readonly key: StoredForeignKey }
  | { readonly kind: 'target'; readonly key: StoredForeignKey }
  | { readonly kind: 'join-table' };

export function keyPlaceOf({ name, foreignKey, referredBy, joinTable }: StoredRelation): KeyPlace {
  if (foreignKey) return { kind: 'own', key: foreignKey };
  if (joinTable) return { kind: 'join-table' };
  if (referredBy) return { kind: 'target', key: referredBy };
  throw new TypeError(`Nobody knows where the pairs of '${name}' are.`);
}
