import type { DataCall } from '../../executor/plan.js';
import type { Problem } from '../../errors/api-error.js';
import type { Storage, StoredModel, StoredRelation } from '../../model/storage/storage.js';
import { storedHop } from '../../model/storage/stored-model.js';
import type { Resource } from '../../model/surface/surface.js';
import { ALWAYS, and, type Condition, equals, not, uniqueAsCondition, type UniqueCondition } from '../../query/condition.js';
import { fieldNamed, selectFields } from '../../query/fields.js';
import { rowKey } from '../../query/key.js';
import { PendingValue } from '../../query/pending-value.js';
import { findMany } from '../../query/read.js';
import type { WrittenRecord, WrittenRelation } from '../../query/write.js';
import { nameOfId } from '../parse/parse-target.js';
import type { ResourceContent } from '../parse/write-intent.js';

/** The write of a document or of a relationship endpoint. */
export interface OneToOneWrite {
  readonly resource: Resource;
  readonly content: ResourceContent;
  readonly record: WrittenRecord;
  /** The row that is written; absent if it is created. */
  readonly owner?: UniqueCondition;
}

/**
 * Returns checks that the records linked by one-to-one relationships belong to no other record. Prisma would unlink them there without an error.
 *
 * If the written row holds the key and its columns are written, a unique constraint has the same effect.
 */
export function oneToOneChecks({ resource, content, record, owner }: OneToOneWrite, storage: Storage): DataCall[] {
  return record.relations.flatMap(({ relation, target, verbs }) => {
    if (!isOneToOne(relation, storage)) return [];
    return verbs.flatMap((verb) => {
      if (verb.kind !== 'connect') return [];
      const taken: Taken = { relation, target, row: verb.row, ...(owner && { owner }) };
      const check = relation.foreignKey ? takenByKey(taken, record.model) : takenByTarget(taken, storage);
      return [{ ...check, expect: { kind: 'none-found', problem: takenProblem(relation, content, resource) } }];
    });
  });
}

/** Whether a relation links at most one record on each side. */
export function isOneToOne({ many, target, opposite }: StoredRelation, storage: Storage): boolean {
  return !many && opposite !== undefined && !storedHop(storage, { model: target, name: opposite }).relation.many;
}

/** Returns the problem that a linked record already belongs to another record. */
export function takenProblem(relation: Pick<StoredRelation, 'name' | 'foreignKey'>, content: ResourceContent, { type }: Resource): Problem {
  const { record, member, pointer } = givenPlace(relation, content);
  return {
    code: 'unique-conflict',
    detail: `${record} belongs to another ${type} already ('${member}' is one-to-one).`,
    ...(pointer !== undefined && { source: { pointer } }),
  };
}

interface GivenPlace {
  readonly record: string;
  readonly member: string;
  readonly pointer?: string;
}

/** Returns the member of a document that names the linked record: the relationship, or a column of its key. */
function givenPlace({ name, foreignKey }: Pick<StoredRelation, 'name' | 'foreignKey'>, content: ResourceContent): GivenPlace {
  const linkage = content.linkages.find(({ relationship }) => relationship.name === name);
  const [linked] = linkage?.records ?? [];
  if (linkage && linked) {
    const { member, target } = linkage.relationship;
    return { record: `The ${target.type} with ${nameOfId(linked.id)}`, member, pointer: linkage.pointer };
  }
  const given = content.attributes.find(({ attribute }) => foreignKey?.fields.includes(attribute.name));
  const member = given?.attribute.member ?? name;
  return { record: `What '${member}' refers to`, member, ...(given && { pointer: given.pointer }) };
}

/** A row that a write links, the relation, and the row that it is linked to. */
interface Taken extends Pick<WrittenRelation, 'relation' | 'target'> {
  readonly row: UniqueCondition;
  readonly owner?: UniqueCondition;
}

/** Plans a look-up of another row that references the linked row. */
function takenByKey({ relation, target, row, owner }: Taken, model: StoredModel): Pick<DataCall, 'query'> {
  const refers: Condition = { kind: 'is', relation, target, condition: uniqueAsCondition(row) };
  return { query: oneRow(model, and(refers, owner ? not(uniqueAsCondition(owner)) : ALWAYS)) };
}

/** Plans a look-up of the linked row, if it references another row. The linked row is locked, so that it does not change before it is linked. */
function takenByTarget({ relation, target, row, owner }: Taken, storage: Storage): Pick<DataCall, 'query' | 'locks'> {
  const { opposite = '', referredBy } = relation;
  const optional = (referredBy?.fields ?? []).map((name) => fieldNamed(target, name)).filter((field) => field.optional);
  const refers = optional.map((field) => not(equals(field, null)));
  const isOwners = (own: UniqueCondition): Condition => {
    return { kind: 'is', ...storedHop(storage, { model: target.model, name: opposite }), condition: uniqueAsCondition(own) };
  };
  const query = oneRow(target, and(uniqueAsCondition(row), ...refers, owner ? not(isOwners(owner)) : ALWAYS));
  // If an earlier operation of the request creates the row, it is locked already.
  const isThere = !row.keys.some(({ values }) => values.some((value) => value instanceof PendingValue));
  return { query, ...(isThere && { locks: { row, provider: storage.provider } }) };
}

function oneRow(model: StoredModel, where: Condition): DataCall['query'] {
  return findMany({ model, where, page: { take: 1 }, selection: selectFields(model, rowKey(model).fields) });
}
