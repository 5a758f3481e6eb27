import type { Storage, StoredRelation } from '../../../model/storage/storage.js';
import { storedModel } from '../../../model/storage/stored-model.js';
import { ALWAYS } from '../../../query/condition.js';
import { referredRow } from '../../../query/key.js';
import type { Verb, WrittenField, WrittenRecord, WrittenRelation } from '../../../query/write.js';
import { ServerValueError } from './make-server-value.js';

/**
 * A record with the server's values instead of any others of these fields.
 *
 * Prisma takes no foreign key beside relations that hold one: there the key is written as the connection that it means.
 *
 * @throws ServerValueError for a key of which the server sets a part only, beside such a relation
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
