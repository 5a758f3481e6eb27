import type { Storage } from '../../model/storage/storage.js';
import { storedHop } from '../../model/storage/stored-model.js';
import { ALWAYS } from '../../query/condition.js';
import { referredRow } from '../../query/key.js';
import type { Verb, WrittenRelation } from '../../query/write.js';
import type { ContentChange, WrittenMembers } from './written-record.js';

/**
 * Attributes in the form that Prisma calls checked: a foreign key among them becomes the connection that it means.
 *
 * A key that is given in part, or whose relationship is not exposed, stays as it is, and the data client refuses it. A column that several
 * keys share is part of each of them.
 */
export function connectedKeys({ resource, content: { attributes }, change }: ContentChange, storage: Storage): WrittenMembers {
  const values = new Map(attributes.map(({ attribute, value }) => [attribute.name, value]));
  const others = new Map(values);
  const relations: WrittenRelation[] = [];
  for (const relationship of resource.relationships) {
    const hop = storedHop(storage, relationship);
    const key = hop.relation.foreignKey;
    if (!key?.fields.every((name) => values.has(name))) continue;
    for (const name of key.fields) others.delete(name);
    const row = referredRow(hop.target, key, values);
    const verb: Verb = row ? { kind: 'connect', row } : { kind: 'disconnect', row: ALWAYS };
    if (row ?? change !== 'attach') relations.push(Object.freeze({ ...hop, verbs: Object.freeze([verb]) }));
  }
  return { values: others, relations };
}
