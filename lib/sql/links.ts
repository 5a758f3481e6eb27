import type { StoredForeignKey, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { UniqueCondition } from '../query/condition.js';
import { fieldNamed } from '../query/fields.js';
import { isUnique, keyPlaceOf, type Verb, type WrittenRelation } from '../query/write.js';
import { type Assignment, changeTimes, resolveKeyFields } from './assignments.js';
import { decline } from './declined.js';
import { requireSpelled } from './spellings.js';

/** A change of the links of a row that other tables store. */
export interface LinkChange {
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  readonly kind: 'connect' | 'disconnect' | 'set';
  readonly rows: readonly UniqueCondition[];
  /**
   * Additional assignments (`@updatedAt`) to the rows that are linked. Prisma disconnects rows by a separate statement, which does not set
   * `@updatedAt`. A `set` does not change rows that are already linked.
   */
  readonly changed: readonly Assignment[];
}

/** Whether a write connects, disconnects or sets rows of a relation whose foreign key is not in the table of this model. */
export function linksElsewhere({ relation, verbs }: WrittenRelation): boolean {
  return keyPlaceOf(relation).kind !== 'own' && verbs.length > 0 && verbs.every(({ kind }) => KINDS.has(kind));
}

const KINDS: ReadonlySet<Verb['kind']> = new Set(['connect', 'disconnect', 'set'] satisfies readonly Verb['kind'][]);

/**
 * Returns the change of the links of one relation.
 *
 * @throws Declined for a change that takes more than one statement for a table
 */
export function linkChange(parent: StoredModel, { relation, target, verbs }: WrittenRelation, now: Date): LinkChange {
  const kinds = new Set(verbs.map(({ kind }) => kind));
  if (!relation.many || kinds.size > 1) return decline(`what is written through ${relation.name}`);
  const rows = namedOnce(verbs.flatMap((verb) => listLinkedRows(relation, verb)));
  if (rows.some(({ more }) => more.kind !== 'always')) return decline('a link to a row that meets conditions');
  const kind = kindOf(verbs[0]);
  const isHeld = relation.referredBy !== undefined && kind !== 'disconnect' && rows.length > 0;
  const change = { relation, target, rows, kind, changed: isHeld ? changeTimes(target, now) : [] };
  if (findForeignKey(parent, relation).some(({ optional }) => optional)) return decline(`a key of ${relation.name} that may be null`);
  requireHeld(parent, change);
  if (relation.referredBy && change.kind !== 'connect') requireOptional(target, relation.referredBy);
  return change;
}

/**
 * Requires that the linked columns store the key unchanged. The schema has no types for the columns of a join table, so a `char` key is declined
 * there.
 */
function requireHeld(parent: StoredModel, { relation, target }: LinkChange): void {
  const { joinTable, referredBy } = relation;
  const held = referredBy ? resolveKeyFields(target, referredBy) : [];
  for (const [index, field] of findForeignKey(parent, relation).entries()) requireSpelled(held[index], field);
  for (const name of (joinTable && target.primaryKey?.fields) ?? []) requireSpelled(undefined, fieldNamed(target, name));
}

/** Returns the fields of this model that the links reference. */
export function findForeignKey(parent: StoredModel, relation: StoredRelation) {
  const place = keyPlaceOf(relation);
  const isJoined = place.kind === 'join-table';
  const names = isJoined ? parent.primaryKey?.fields : place.key.references;
  if (!names || (isJoined && names.length > 1)) return decline(`the key of ${relation.name} is not one field`);
  return names.map((field) => fieldNamed(parent, field));
}

function kindOf(verb: Verb | undefined): LinkChange['kind'] {
  return verb?.kind === 'set' || verb?.kind === 'disconnect' ? verb.kind : 'connect';
}

function listLinkedRows({ name }: StoredRelation, verb: Verb): readonly UniqueCondition[] {
  if (verb.kind === 'set') return verb.rows;
  if ((verb.kind === 'connect' || verb.kind === 'disconnect') && isUnique(verb.row)) return [verb.row];
  return decline(`what is written through ${name}`);
}

/**
 * Returns the rows without those that are named twice by equal keys. Prisma rejects different keys of the same row, and so does the count in the
 * statement.
 */
function namedOnce(rows: readonly UniqueCondition[]): readonly UniqueCondition[] {
  return [...new Map(rows.map((row) => [serializeKeys(row), row])).values()];
}

function serializeKeys({ keys }: UniqueCondition): string {
  return JSON.stringify(
    keys.map(({ key, values }) => [key.fields, values.map((value) => (typeof value === 'bigint' ? `${value}` : value))]),
  );
}

/** Rejects a change that may remove a required link. Prisma rejects it with its own error. */
function requireOptional(target: StoredModel, key: StoredForeignKey): void {
  if (!resolveKeyFields(target, key).every(({ optional }) => optional)) decline('a link that must be there');
}
