import type {
  FieldPreset,
  SchemaDefault,
  SchemaEnumField,
  SchemaField,
  SchemaForeignKey,
  SchemaRelationField,
} from '../resource-schema.js';
import { isLiteral, literalOf } from './literal-of.js';
import { presetOf } from './meta-attribute.js';
import { scalarTypeOf } from '../scalar-type-names.js';
import type { ZenStackField, ZenStackRelation, ZenStackSchema } from './zenstack-schema.js';

/** Converts one field of a ZenStack model; returns undefined for fields that are not exposed: unsupported types, computed fields with parameters. */
export function readField(schema: ZenStackSchema, model: string, field: ZenStackField): SchemaField | undefined {
  if (field.relation) return { kind: 'relation', ...readBase(field), ...readRelation(model, field.type, field.relation) };
  return field.params === undefined ? readValueField(schema, field) : undefined;
}

function readValueField(schema: ZenStackSchema, field: ZenStackField): SchemaField | undefined {
  const { type } = field;
  if (Object.hasOwn(schema.enums ?? {}, type)) return { kind: 'enum', type, ...readSharedParts(field) };
  // A field of a custom type is a JSON column, and a list of that type is one JSON value.
  if (Object.hasOwn(schema.typeDefs ?? {}, type)) return { kind: 'scalar', type: 'Json', ...readSharedParts({ ...field, array: false }) };
  const scalar = scalarTypeOf(type);
  return scalar && { kind: 'scalar', type: scalar, ...readSharedParts(field), ...readNativeType(field) };
}

/** Converts the properties that enums and scalars share. */
function readSharedParts(field: ZenStackField): Omit<SchemaEnumField, 'kind' | 'type'> {
  const value = readDefault(field.default);
  return { ...readBase(field), ...(value && { default: value }), ...(isUpdatedAt(field) && { updatedAt: true }) };
}

function readBase(field: ZenStackField): Pick<SchemaEnumField, 'list' | 'optional' | 'api'> {
  const api = presetOf(field.attributes) ?? impliedPreset(field);
  return { ...(field.array && { list: true }), ...(field.optional && { optional: true }), ...(api && { api }) };
}

function impliedPreset({ computed, omit }: ZenStackField): FieldPreset | undefined {
  if (computed) return omit ? 'hidden' : 'readOnly';
  return omit ? 'writeOnly' : undefined;
}

function readRelation(
  model: string,
  type: string,
  relation: ZenStackRelation,
): Omit<SchemaRelationField, 'kind' | 'list' | 'optional' | 'api'> {
  const foreignKey = readForeignKey(relation);
  return {
    type,
    // Prisma's default name of a relation.
    relation: relation.name ?? [model, type].sort().join('To'),
    ...(relation.opposite !== undefined && { opposite: relation.opposite }),
    ...(foreignKey && { foreignKey }),
  };
}

function readForeignKey({ fields, references, onDelete, onUpdate }: ZenStackRelation): SchemaForeignKey | undefined {
  if (!fields || !references) return undefined;
  return { fields, references, ...(onDelete !== undefined && { onDelete }), ...(onUpdate !== undefined && { onUpdate }) };
}

function readDefault(value: unknown): SchemaDefault | undefined {
  if (value === undefined) return undefined;
  if (isLiteral(value)) return { kind: 'value', value };
  if (Array.isArray(value) && value.every(isLiteral)) return { kind: 'value', value };
  return readFunction(value);
}

/** Converts a default that is computed when a row is created, e.g. `now()` or `auth().id`. A bigint or Decimal is converted to text. */
function readFunction(value: unknown): SchemaDefault {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return { kind: 'value', value: String(value) };
  const name: unknown = Reflect.get(value, 'function');
  return { kind: 'function', name: typeof name === 'string' ? name : String(value.kind) };
}

function isUpdatedAt({ updatedAt }: ZenStackField): boolean {
  return updatedAt !== undefined && updatedAt !== false;
}

/** Converts the native type, e.g. `@db.VarChar(191)` to `['VarChar', ['191']]`. */
function readNativeType({ attributes = [] }: ZenStackField): { readonly nativeType?: readonly [string, readonly string[]] } {
  const attribute = attributes.find(({ name }) => name.startsWith('@db.'));
  if (attribute === undefined) return {};
  const args = (attribute.args ?? []).map(({ value }) => literalOf(value)).filter((value) => value !== undefined);
  return { nativeType: [attribute.name.slice('@db.'.length), args.map(String)] };
}
