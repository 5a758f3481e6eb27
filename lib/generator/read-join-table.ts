import type { SchemaJoinTable, SchemaRelationField } from '../model/schema/resource-schema.js';
import type { DmmfField, DmmfModel } from './dmmf.js';

/** A relation field in its model. */
interface Side {
  readonly model: DmmfModel;
  readonly field: DmmfField;
}

/**
 * The join table of an implicit many-to-many relation, which the Prisma schema does not name: both sides are lists. Prisma calls it by the
 * relation; its column `A` refers to the model that comes first by name, and of a model with itself to the side whose field comes first.
 */
export function readJoinTable(own: Side, other: Side): Pick<SchemaRelationField, 'joinTable'> {
  const { field, model } = own;
  if (!field.isList || !other.field.isList || field.relationName === undefined) return {};
  const isFirst = model.name === other.model.name ? field.name < other.field.name : model.name < other.model.name;
  const { schema } = isFirst ? model : other.model;
  const joinTable: SchemaJoinTable = { table: `_${field.relationName}`, ...(schema && { schema }), column: isFirst ? 'A' : 'B' };
  return { joinTable };
}
