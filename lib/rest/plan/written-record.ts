import type { Storage } from '../../model/storage/storage.js';
import { storedHop, storedModel, storedRelation } from '../../model/storage/stored-model.js';
import type { Field, Relationship, Resource } from '../../model/surface/surface.js';
import { ALWAYS, type UniqueCondition } from '../../query/condition.js';
import { fieldNamed } from '../../query/fields.js';
import { uniqueCondition } from '../../query/key.js';
import { linkForeignKeys } from '../../query/link-foreign-keys.js';
import { PendingValue } from '../../query/pending-value.js';
import type { Verb, WrittenField, WrittenRecord, WrittenRelation } from '../../query/write.js';
import { bodyError } from '../parse/body-error.js';
import { isSameIdPart } from '../parse/parse-document-id.js';
import { attributeValues, type Linkage, type ResourceContent } from '../parse/write-intent.js';

/** The change of linkage. `attach`: by a create, without linkage before · `replace`: as a whole · `add` and `remove`: members of to-many. */
export type LinkageChange = 'attach' | 'replace' | 'add' | 'remove';

/** The values of the fields of a row by their names, and the nested writes of its relations. */
interface WrittenMembers {
  readonly values: Values;
  readonly relations: readonly WrittenRelation[];
}

export type Values = ReadonlyMap<string, unknown>;

/**
 * Compiles a document into the record of a create (`attach`) or an update.
 *
 * If the row has the foreign key of a relationship, that key is written as plain columns. If the id in the document is not the key that the foreign key
 * references (`externalId`), the record is connected by its id instead. Because Prisma accepts no foreign key beside a `connect`, the other foreign
 * keys then become links, too. Members of to-many relationships are connected and disconnected.
 *
 * @throws ApiError `invalid-relation-data` where two members give one column different values
 */
export function writtenRecord(resource: Resource, content: ResourceContent, change: LinkageChange, storage: Storage): WrittenRecord {
  const owning = content.linkages.filter(({ relationship }) => relationship.link === 'own-key');
  const columns = owning.filter(({ relationship, records }) => records.length === 0 || refersToId(relationship, storage));
  const values = withColumns(attributeValues(content), columns, resource, storage);
  const relations = content.linkages
    .filter((linkage) => !columns.includes(linkage))
    .flatMap((linkage) => writtenRelation(linkage, change, storage) ?? []);
  return linkForeignKeys(recordOf(resource, change, { values, relations }, storage), storage);
}

/** Returns a record with field values and nested writes. */
export function recordOf(
  resource: Resource,
  change: LinkageChange,
  { values, relations }: WrittenMembers,
  storage: Storage,
): WrittenRecord {
  const model = storedModel(storage, resource.model);
  const fields = [...values].map(([name, value]): WrittenField =>
    Object.freeze({ field: fieldNamed(model, name), operation: 'set', value }),
  );
  const action = change === 'attach' ? 'create' : 'update';
  return Object.freeze({ kind: 'record', model, action, fields: Object.freeze(fields), relations: Object.freeze(relations), at: AT });
}

/** The path of the record in a document. */
const AT = Object.freeze(['data']);

/** Whether the foreign key references the target's id, so that linkage gives the values of all its columns. */
export function refersToId(relationship: Relationship, storage: Storage): boolean {
  const { fields } = relationship.target.identifier;
  const { references = [] } = storedRelation(storage, relationship).foreignKey ?? {};
  return references.length === fields.length && fields.every(({ name }) => references.includes(name));
}

/**
 * Merges the values of attributes with the foreign key columns of linkage.
 *
 * @throws ApiError `invalid-relation-data` if linkage contradicts another member
 */
export function withColumns(given: Values, owning: readonly Linkage[], resource: Resource, storage: Storage): Values {
  const values = new Map(given);
  for (const linkage of owning) {
    for (const [name, value] of keyValues(linkage, resource, storage)) {
      if (values.has(name) && !isSame(resource.fields.get(name), values.get(name), value)) {
        const detail = `What '${linkage.relationship.member}' refers to does not fit another member of this document: they share '${name}'.`;
        throw bodyError('invalid-relation-data', linkage.pointer, detail);
      }
      // A `PendingValue` cannot be compared yet. In a composite key, the database checks it.
      if (!values.has(name) || !(value instanceof PendingValue)) values.set(name, value);
    }
  }
  return values;
}

/** Returns the columns of a foreign key with the values of the linked record, or null if there is none. */
function keyValues(
  { relationship, records: [record] }: Linkage,
  resource: Resource,
  storage: Storage,
): readonly (readonly [string, unknown])[] {
  const { fields = [], references = [] } = storedRelation(storage, relationship).foreignKey ?? {};
  if (record) return fields.map((name, index) => [name, record.id.values[references[index] ?? '']]);
  return clearableColumns(fields, resource).map((name) => [name, null]);
}

/**
 * Returns the columns that are set to null to unlink a record. One null is enough, so that required columns keep their values. Columns that another
 * relationship shares keep theirs too, if another column can be null.
 */
function clearableColumns(fields: readonly string[], resource: Resource): readonly string[] {
  const optional = fields.filter((name) => resource.fields.get(name)?.optional !== false);
  const own = optional.filter((name) => {
    const field = resource.fields.get(name);
    return field?.kind !== 'attribute' || field.foreignKeyOf.length < 2;
  });
  return own.length > 0 ? own : optional;
}

function isSame(field: Field | undefined, left: unknown, right: unknown): boolean {
  if (left instanceof PendingValue || right instanceof PendingValue) return true;
  return field?.kind === 'attribute' ? isSameIdPart(field, left, right) : left === right;
}

/**
 * Returns the nested write that changes a relationship; undefined if there is nothing to do. Of the related records it changes only the foreign key.
 */
function writtenRelation(linkage: Linkage, change: LinkageChange, storage: Storage): WrittenRelation | undefined {
  const hop = storedHop(storage, linkage.relationship);
  const { identifier } = linkage.relationship.target;
  const rows = linkage.records.map(({ id }) => uniqueCondition(hop.target, identifier, id.values));
  const verbs = verbsOf(linkage.relationship, rows, change, storage);
  return verbs.length > 0 ? Object.freeze({ verbs: Object.freeze(verbs), ...hop }) : undefined;
}

/**
 * Whether the related records hold the foreign key, and it is required. `orphanCheck` then ensures before the write that none of them loses its link,
 * so that the write disconnects nothing.
 */
export function isRequiredThere({ link, opposite, target }: Relationship, storage: Storage): boolean {
  if (link !== 'target-key' || opposite === undefined) return false;
  const other = target.fields.get(opposite);
  if (other?.kind !== 'relationship') return false;
  // Prisma sets the whole foreign key to null, also a column that another relation shares and requires.
  const { fields } = storedModel(storage, target.model);
  const key = storedRelation(storage, other).foreignKey?.fields ?? [];
  return !other.optional || key.some((name) => fields.get(name)?.optional === false);
}

function verbsOf(relationship: Relationship, rows: readonly UniqueCondition[], change: LinkageChange, storage: Storage): readonly Verb[] {
  const isFree = !isRequiredThere(relationship, storage);
  if (change === 'remove') return isFree ? rows.map((row) => ({ kind: 'disconnect', row })) : [];
  if (change === 'replace' && isFree && relationship.many) return [{ kind: 'set', rows }];
  if (change === 'replace' && isFree && rows.length === 0) return [{ kind: 'disconnect', row: ALWAYS }];
  return rows.map((row) => ({ kind: 'connect', row }));
}
