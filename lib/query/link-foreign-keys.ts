import type { Storage, StoredForeignKey, StoredModel, StoredRelation } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import { ALWAYS } from './condition.js';
import { referredRow } from './key.js';
import { setValues, type Verb, type WrittenField, type WrittenRecord, type WrittenRelation } from './write.js';

/** A relation whose foreign key is in the row itself. */
interface OwnKey {
  readonly relation: StoredRelation;
  readonly key: StoredForeignKey;
}

/**
 * Returns a record in which foreign keys are links instead of fields, if its row stores a link, because Prisma rejects a record that has both.
 *
 * A key with all its values becomes a `connect`, and a key of nulls a `disconnect`. In a new row, nulls without a default are left out. Every other
 * value stays a field: of a key that is incomplete, or that has a null beside a value. A `disconnect` of such a key would clear all its columns.
 */
export function linkForeignKeys(record: WrittenRecord, storage: Storage): WrittenRecord {
  if (!storesLink(record)) return record;
  const values = new Map(Object.entries(setValues(record)));
  const complete = ownKeys(record.model).filter(
    ({ relation, key }) =>
      !relation.ignored && key.fields.every((name) => values.has(name)) && !record.relations.some((one) => one.relation === relation),
  );
  const connected = complete.filter(({ key }) => key.fields.every((name) => values.get(name) !== null));
  const cleared = record.action === 'update' ? complete.filter(({ key }) => key.fields.every((name) => values.get(name) === null)) : [];
  const linked = [...connected, ...cleared];
  const written = new Set(linked.flatMap(({ key }) => key.fields));
  const fields = record.fields.filter((one) => !written.has(one.field.name) && !isOmitted(one, record));
  const relations = [...record.relations, ...linked.map((one) => linkedRelation(one, values, storage))];
  return Object.freeze({ ...record, fields: Object.freeze(fields), relations: Object.freeze(relations) });
}

/** Whether a record has foreign key fields beside links that its own row stores. Prisma rejects such a record. */
export function hasKeyBesideLink(record: WrittenRecord): boolean {
  return storesLink(record) && record.fields.some(({ field }) => isOfKey(record.model, field.name));
}

function storesLink({ relations }: WrittenRecord): boolean {
  return relations.some(({ relation }) => relation.foreignKey);
}

function ownKeys({ relations }: StoredModel): readonly OwnKey[] {
  return [...relations.values()].flatMap((relation) => (relation.foreignKey ? [{ relation, key: relation.foreignKey }] : []));
}

function isOfKey(model: StoredModel, name: string): boolean {
  return ownKeys(model).some(({ key }) => key.fields.includes(name));
}

function isOmitted({ field, value }: WrittenField, { action, model }: WrittenRecord): boolean {
  return action === 'create' && value === null && field.default === undefined && isOfKey(model, field.name);
}

function linkedRelation({ relation, key }: OwnKey, values: ReadonlyMap<string, unknown>, storage: Storage): WrittenRelation {
  const target = storedModel(storage, relation.target);
  const row = referredRow(target, key, values);
  const verb: Verb = row ? { kind: 'connect', row } : { kind: 'disconnect', row: ALWAYS };
  return Object.freeze({ relation, target, verbs: Object.freeze([Object.freeze(verb)]) });
}
