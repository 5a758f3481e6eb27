import type { ResourceSchema, SchemaJoinTable, SchemaRelationField } from '../schema/resource-schema.js';
import type { StoredForeignKey, StoredJoinTable, StoredRelation } from './storage.js';

/** A relation field of a schema. */
export interface RelationEntry {
  readonly model: string;
  readonly name: string;
  readonly field: SchemaRelationField;
  readonly ignored: boolean;
}

/** Builds one relation with its foreign key or join table. In some relations, only the opposite side declares the foreign key. */
export function buildRelation(entry: RelationEntry, schema: ResourceSchema): StoredRelation {
  const { name, field, ignored } = entry;
  const other = otherSide(entry, schema);
  const own = buildForeignKey(field);
  const theirs = other && !own ? buildForeignKey(other.field) : undefined;
  return Object.freeze({
    name,
    target: field.type,
    many: field.list === true,
    optional: field.optional === true,
    ...(other && { opposite: other.name }),
    ignored,
    ...(own && { foreignKey: frozenKey(own) }),
    ...(theirs && { referredBy: frozenKey(theirs) }),
    ...(field.joinTable && { joinTable: buildJoinTable(field.joinTable) }),
  });
}

function otherSide({ model, name, field }: RelationEntry, { models }: ResourceSchema): Pick<RelationEntry, 'name' | 'field'> | undefined {
  const target = models[field.type];
  const fields = Object.entries({ ...target?.fields, ...target?.ignored });
  return fields
    .flatMap(([other, found]) => (found.kind === 'relation' ? { name: other, field: found } : []))
    .find((other) => {
      const isSame = field.type === model && other.name === name;
      return !isSame && (other.name === field.opposite || (field.opposite === undefined && other.field.relation === field.relation));
    });
}

function buildForeignKey({ foreignKey, ignoredKey }: SchemaRelationField): StoredForeignKey | undefined {
  return foreignKey ?? ignoredKey;
}

function frozenKey({ fields, references, onDelete }: StoredForeignKey): StoredForeignKey {
  const key = { fields: Object.freeze([...fields]), references: Object.freeze([...references]) };
  return Object.freeze({ ...key, ...(onDelete !== undefined && { onDelete }) });
}

function buildJoinTable({ table, schema, column }: SchemaJoinTable): StoredJoinTable {
  return Object.freeze({
    table,
    ...(schema !== undefined && { schema }),
    ownColumn: column,
    targetColumn: column === 'A' ? 'B' : 'A',
  });
}
