import type {
  SchemaDefault,
  SchemaField,
  SchemaJoinTable,
  SchemaModel,
  SchemaRelationField,
  SchemaScalarField,
} from '../model/schema/resource-schema.js';
import { SCALAR_TYPE_NAMES, scalarTypeOf } from '../model/schema/scalar-type-names.js';
import type { DmmfField, DmmfModel } from './dmmf.js';
import { FIELD_MARKS, FIELD_PRESETS, marksVersion, parseApiComment, readDocumentation } from './parse-api-comment.js';

/**
 * Reads the fields of a model, in the order of the Prisma schema. Columns of unsupported types and MongoDB's composite types are omitted.
 *
 * @param models All models of the schema, for the opposite sides of relations.
 * @throws Error naming `Model.field` for an `@api.…` comment that is invalid there, or for a type that this package does not support.
 */
export function readFields(model: DmmfModel, models: readonly DmmfModel[]): SchemaModel['fields'] {
  return Object.fromEntries(
    model.fields.flatMap((field): [string, SchemaField][] => {
      const read = readField(field, model, models);
      if (marksVersion(field.documentation) && field.kind !== 'scalar')
        throw new Error(`${model.name}.${field.name} has @api.version, which is for a field of the type Int or BigInt.`);
      const api = parseApiComment(field.documentation, `${model.name}.${field.name}`, FIELD_PRESETS, FIELD_MARKS);
      return read ? [[field.name, { ...read, ...(api && { api }), ...readDocumentation(field) }]] : [];
    }),
  );
}

function readField(field: DmmfField, model: DmmfModel, models: readonly DmmfModel[]): SchemaField | undefined {
  switch (field.kind) {
    case 'scalar':
      return readScalar(field, `${model.name}.${field.name}`);
    case 'enum':
      return { kind: 'enum', type: field.type, ...readShape(field), ...readColumn(field) };
    case 'object':
      return readRelation(field, model, models);
    case 'unsupported':
      return undefined;
  }
}

function readScalar(field: DmmfField, place: string): SchemaScalarField {
  const type = scalarTypeOf(field.type);
  if (type === undefined) {
    throw new Error(`${place} has the type ${field.type}, which this version does not know. Known: ${SCALAR_TYPE_NAMES.join(', ')}.`);
  }
  const version = marksVersion(field.documentation) && { version: true as const };
  return { kind: 'scalar', type, ...version, ...readShape(field), ...readNativeType(field), ...readColumn(field) };
}

/** Reads a relation; undefined for a field of a composite type, which has no relation. */
function readRelation(field: DmmfField, model: DmmfModel, models: readonly DmmfModel[]): SchemaRelationField | undefined {
  const { type, relationName: relation } = field;
  if (relation === undefined) return undefined;

  const target = models.find(({ name }) => name === type);
  const opposite = target?.fields.find((other) => other.relationName === relation && (target !== model || other.name !== field.name));
  return {
    kind: 'relation',
    type,
    ...readShape(field),
    relation,
    ...(opposite && { opposite: opposite.name }),
    ...readForeignKey(field, model),
    ...(target && opposite && readJoinTable({ model, field }, { model: target, field: opposite })),
  };
}

/** Reads a foreign key. A key with an ignored field is `ignoredKey`: the client has no value for it, so only the relation field can be used. */
function readForeignKey(field: DmmfField, model: DmmfModel): Pick<SchemaRelationField, 'foreignKey' | 'ignoredKey'> {
  const {
    relationFromFields: fields = [],
    relationToFields: references = [],
    relationOnDelete: onDelete,
    relationOnUpdate: onUpdate,
  } = field;
  if (fields.length === 0) return {};
  const key = { fields, references, ...(onDelete && { onDelete }), ...(onUpdate && { onUpdate }) };
  const isServed = fields.every((name) => model.fields.some((other) => other.name === name));
  return isServed ? { foreignKey: key } : { ignoredKey: key };
}

function readShape(field: DmmfField): Pick<SchemaField, 'list' | 'optional'> {
  return { ...(field.isList && { list: true }), ...(!field.isRequired && { optional: true }) };
}

/** Reads the column's name, and the default of a create. */
function readColumn(field: DmmfField): Pick<SchemaScalarField, 'column' | 'default' | 'updatedAt'> {
  return {
    ...(field.default !== undefined && { default: readDefault(field.default) }),
    ...(field.isUpdatedAt && { updatedAt: true }),
    ...(field.dbName && { column: field.dbName }),
  };
}

function readDefault(value: NonNullable<DmmfField['default']>): SchemaDefault {
  if (typeof value !== 'object' || !('name' in value)) return { kind: 'value', value };
  return { kind: 'function', name: value.name, ...(value.args.length > 0 && { args: value.args }) };
}

function readNativeType({ nativeType }: DmmfField): Pick<SchemaScalarField, 'nativeType'> {
  return nativeType ? { nativeType } : {};
}

/** A relation field with its model. */
interface Side {
  readonly model: DmmfModel;
  readonly field: DmmfField;
}

/**
 * Returns the join table of an implicit many-to-many relation, where both sides are lists. The Prisma schema does not name it.
 * Prisma names the table after the relation. Column `A` references the model that is first by name. For a relation of a model to
 * itself, it references the side whose field is first by name.
 */
export function readJoinTable(own: Side, other: Side): Pick<SchemaRelationField, 'joinTable'> {
  const { field, model } = own;
  if (!field.isList || !other.field.isList || field.relationName === undefined) return {};
  const isFirst = model.name === other.model.name ? field.name < other.field.name : model.name < other.model.name;
  const { schema } = isFirst ? model : other.model;
  const joinTable: SchemaJoinTable = { table: `_${field.relationName}`, ...(schema && { schema }), column: isFirst ? 'A' : 'B' };
  return { joinTable };
}
