import type { Storage } from '../../model/storage/storage.js';
import { storedRelation } from '../../model/storage/stored-model.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import { bodyError } from '../parse/body-error.js';
import { isSameIdPart } from '../parse/is-same-id-part.js';
import type { Linkage, ResourceContent } from '../parse/write-intent.js';
import { connectedKeys } from './connected-keys.js';
import { type Data, type LinkageChange, relationData } from './relation-data.js';

/** What a document says of one resource, and how its linkage changes. */
export interface ContentChange {
  readonly resource: Resource;
  readonly content: ResourceContent;
  readonly change: LinkageChange;
}

/**
 * The `data` of a create (`attach`) or an update (`replace`).
 *
 * Where the row itself holds the key of a relationship, its columns are written: the record at the other end has been found before. Where such
 * a record is named by another key than the one referred to (`externalId`), the data client must connect it by that. Its input then takes no
 * foreign key columns at all, so every other key becomes a connection too.
 *
 * @throws ApiError `invalid-relation-data` where two members give one column different values
 */
export function writeData(write: ContentChange, storage: Storage): Data {
  const { linkages } = write.content;
  const owning = linkages.filter(({ relationship }) => relationship.link === 'own-key');
  const nested = linkages
    .filter(({ relationship }) => relationship.link !== 'own-key')
    .map((linkage) => relationData(linkage, write.change));
  const hasColumns = owning.every(({ relationship }) => refersToId(relationship, storage));
  const own = hasColumns
    ? [columns(write, owning, storage)]
    : [connectedKeys(write, storage), ...owning.map((linkage) => relationData(linkage, write.change))];
  return Object.assign({}, ...own, ...nested) as Data;
}

/** Whether the foreign key holds the target's id, so that linkage says all values of its columns. */
function refersToId(relationship: Relationship, storage: Storage): boolean {
  const { fields } = relationship.target.identifier;
  const { references = [] } = storedRelation(storage, relationship).foreignKey ?? {};
  return references.length === fields.length && fields.every(({ name }) => references.includes(name));
}

function columns({ resource, content: { attributes } }: ContentChange, owning: readonly Linkage[], storage: Storage): Data {
  const values = new Map(attributes.map(({ attribute, value }) => [attribute.name, value]));
  for (const linkage of owning) {
    for (const [name, value] of keyValues(linkage, resource, storage)) {
      if (values.has(name) && !isSame(resource, name, [values.get(name), value])) {
        const detail = `What '${linkage.relationship.member}' refers to does not fit another member of this document: they share '${name}'.`;
        throw bodyError('invalid-relation-data', linkage.pointer, detail);
      }
      values.set(name, value);
    }
  }
  return Object.fromEntries(values);
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
  const field = resource.fields.get(name);
  return field?.kind === 'attribute' ? isSameIdPart(field, left, right) : left === right;
}
