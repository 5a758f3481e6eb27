import type { Storage, StoredRelation } from '../../../model/storage/storage.js';
import { storedModel } from '../../../model/storage/stored-model.js';
import { ALWAYS } from '../../../query/condition.js';
import { referredRow } from '../../../query/key.js';
import type { Verb, WrittenField, WrittenRecord, WrittenRelation } from '../../../query/write.js';
import { ServerValueError } from './make-server-value.js';

/**
 * Returns a record in which the server's values replace all other values of their fields.
 *
 * Prisma rejects a record with both a foreign key field and a relation that has a foreign key. In such a record, the server's key is written as a
 * `connect` of the referenced row, or a `disconnect` for null.
 *
 * @throws ServerValueError if the server sets only a part of a key in such a record
 */
export function placeValues(record: WrittenRecord, set: readonly WrittenField[], storage: Storage): WrittenRecord {
  const values = new Map(set.map(({ field, value }) => [field.name, value]));
  const kept = record.fields.filter(({ field }) => !values.has(field.name));
  if (!record.relations.some(({ relation }) => relation.foreignKey))
    return Object.freeze({ ...record, fields: Object.freeze([...kept, ...set]) });
  const keys = [...record.model.relations.values()].filter(({ foreignKey }) => foreignKey?.fields.some((name) => values.has(name)));
  const connected = new Set(keys.flatMap(({ foreignKey }) => foreignKey?.fields ?? []));
  return Object.freeze({
    ...record,
    fields: Object.freeze([...kept, ...set.filter(({ field }) => !connected.has(field.name))]),
    relations: Object.freeze([...record.relations, ...keys.flatMap((relation) => connection(relation, record, values, storage))]),
  });
}

function connection(
  relation: StoredRelation,
  record: WrittenRecord,
  values: ReadonlyMap<string, unknown>,
  storage: Storage,
): readonly WrittenRelation[] {
  const { foreignKey } = relation;
  if (!foreignKey?.fields.every((name) => values.has(name))) {
    const place = `resources.${record.model.model}.fields`;
    throw new ServerValueError(
      place,
      `set a part of the key of '${relation.name}' alone, which Prisma does not take beside other relations.`,
    );
  }
  const target = storedModel(storage, relation.target);
  const row = referredRow(target, foreignKey, values);
  if (!row && record.action === 'create') return [];
  const verb: Verb = row ? { kind: 'connect', row } : { kind: 'disconnect', row: ALWAYS };
  return [Object.freeze({ relation, target, verbs: Object.freeze([Object.freeze(verb)]) })];
}
