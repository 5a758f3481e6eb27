import type { Storage } from '../../model/storage/storage.js';
import { storedModel, storedRelation } from '../../model/storage/stored-model.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import { fieldNamed } from '../../query/fields.js';
import { LaterValue } from '../../query/later-value.js';
import type { WrittenField, WrittenRecord, WrittenRelation } from '../../query/write.js';
import { bodyError } from '../parse/body-error.js';
import { isSameIdPart } from '../parse/is-same-id-part.js';
import type { Linkage, ResourceContent } from '../parse/write-intent.js';
import { connectedKeys } from './connected-keys.js';
import { type LinkageChange, writtenRelation } from './written-relation.js';

/** What a document says of one resource, and how its linkage changes. */
export interface ContentChange {
  readonly resource: Resource;
  readonly content: ResourceContent;
  readonly change: LinkageChange;
}

/** What is written into a row: values of its fields by their names, and through its relations. */
export interface WrittenMembers {
  readonly values: ReadonlyMap<string, unknown>;
  readonly relations: readonly WrittenRelation[];
}

/**
 * The record of a create (`attach`) or an update.
 *
 * Where the row itself holds the key of a relationship, its columns are written: the record at the other end has been found before. Where such
 * a record is named by another key than the one referred to (`externalId`), the data client must connect it by that. Its input then takes no
 * foreign key columns at all, so every other key becomes a connection too. Members of to-many relationships that are added or removed are
 * connected and disconnected.
 *
 * @throws ApiError `invalid-relation-data` where two members give one column different values
 */
export function writtenRecord(write: ContentChange, storage: Storage): WrittenRecord {
  const { resource, change, content } = write;
  const owning = content.linkages.filter(({ relationship }) => relationship.link === 'own-key');
  const hasColumns = owning.every(({ relationship }) => refersToId(relationship, storage));
  const { values, relations }: WrittenMembers = hasColumns
    ? { values: columns(write, owning, storage), relations: [] }
    : connectedKeys(write, storage);
  const linked = content.linkages
    .filter(({ relationship }) => !hasColumns || relationship.link !== 'own-key')
    .flatMap((linkage) => writtenRelation(linkage, change, storage) ?? []);
  return recordOf({ resource, change }, storage, {
    values,
    // What is given itself is more than what a column of it says.
    relations: [...new Map([...relations, ...linked].map((one) => [one.relation, one])).values()],
  });
}

/** A record with these members. */
export function recordOf(
  { resource, change }: Pick<ContentChange, 'resource' | 'change'>,
  storage: Storage,
  { values, relations }: WrittenMembers,
): WrittenRecord {
  const model = storedModel(storage, resource.model);
  const fields = [...values].map(([name, value]): WrittenField =>
    Object.freeze({ field: fieldNamed(model, name), operation: 'set', value }),
  );
  const action = change === 'attach' ? 'create' : 'update';
  return Object.freeze({ kind: 'record', model, action, fields: Object.freeze(fields), relations: Object.freeze(relations), at: AT });
}

/** Where a document says it. */
const AT = Object.freeze(['data']);

/** Whether the foreign key holds the target's id, so that linkage says all values of its columns. */
function refersToId(relationship: Relationship, storage: Storage): boolean {
  const { fields } = relationship.target.identifier;
  const { references = [] } = storedRelation(storage, relationship).foreignKey ?? {};
  return references.length === fields.length && fields.every(({ name }) => references.includes(name));
}

function columns(
  { resource, content: { attributes } }: ContentChange,
  owning: readonly Linkage[],
  storage: Storage,
): ReadonlyMap<string, unknown> {
  const values = new Map(attributes.map(({ attribute, value }) => [attribute.name, value]));
  for (const linkage of owning) {
    for (const [name, value] of keyValues(linkage, resource, storage)) {
      if (values.has(name) && !isSame(resource, name, [values.get(name), value])) {
        const detail = `What '${linkage.relationship.member}' refers to does not fit another member of this document: they share '${name}'.`;
        throw bodyError('invalid-relation-data', linkage.pointer, detail);
      }
      // What is still to come cannot be compared: the database does so, where the key is of several columns.
      if (!values.has(name) || !(value instanceof LaterValue)) values.set(name, value);
    }
  }
  return values;
}

/** The columns of a foreign key: of the one record that is referred to, or null where there is none. */
function keyValues({ relationship, records: [record] }: Linkage, resource: Resource, storage: Storage): readonly ColumnValue[] {
  const { fields = [], references = [] } = storedRelation(storage, relationship).foreignKey ?? {};
  if (record) return fields.map((name, index) => [name, record.id.values[references[index] ?? '']]);
  return clearableColumns(fields, resource).map((name) => [name, null]);
}

type ColumnValue = readonly [name: string, value: unknown];

/** One null is enough to refer to nothing. A column that another relationship shares, or one that is required, keeps its value. */
function clearableColumns(fields: readonly string[], resource: Resource): readonly string[] {
  const optional = fields.filter((name) => resource.fields.get(name)?.optional !== false);
  const own = optional.filter((name) => {
    const field = resource.fields.get(name);
    return field?.kind !== 'attribute' || field.foreignKeyOf.length < 2;
  });
  return own.length > 0 ? own : optional;
}

function isSame(resource: Resource, name: string, [left, right]: readonly [unknown, unknown]): boolean {
  if (left instanceof LaterValue || right instanceof LaterValue) return true;
  const field = resource.fields.get(name);
  return field?.kind === 'attribute' ? isSameIdPart(field, left, right) : left === right;
}
