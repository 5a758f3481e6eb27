/**
 * The metadata of a Prisma schema, as the generator writes it: plain data, `as const`, safe to commit.
 *
 * Everything here uses Prisma's names. What a host hides or renames is decided later, when {@link ResourceModel} is built.
 */
export interface ResourceSchema {
  /** Version of this shape; the module refuses a file written for another one. */
  readonly version: 1;
  /** The datasource's provider, e.g. `postgresql`. */
  readonly provider: DatabaseProvider;
  /** The data client's ORM where it is not Prisma's: they differ in what they do on a database. */
  readonly orm?: 'zenstack';
  /** Values of each enum, by the enum's name. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
  /** The models, by Prisma's model name. */
  readonly models: Readonly<Record<string, SchemaModel>>;
}

/** Databases that Prisma has a connector for. */
export type DatabaseProvider = 'postgresql' | 'mysql' | 'sqlite' | 'sqlserver' | 'cockroachdb' | 'mongodb';

/** Prisma's scalar types. */
export type ScalarTypeName = 'String' | 'Boolean' | 'Int' | 'BigInt' | 'Float' | 'Decimal' | 'DateTime' | 'Json' | 'Bytes';

/** One Prisma model. */
export interface SchemaModel {
  /** Fields in the order of the Prisma schema; unsupported column types are left out, as in the Prisma client. */
  readonly fields: Readonly<Record<string, SchemaField>>;
  /** Its table (view, collection), where `@@map` gives that another name. */
  readonly table?: string;
  /** `@id` or `@@id`; absent on a model that has unique keys only. */
  readonly primaryKey?: SchemaKey;
  /** `@unique` and `@@unique` keys, in schema order. */
  readonly uniqueKeys: readonly SchemaKey[];
  /**
   * Present where the Prisma client offers fewer than all four: a view is read only, and a model with a required column of an
   * unsupported type is never created.
   */
  readonly actions?: readonly ('read' | 'create' | 'update' | 'delete')[];
  /** Exposure by `/// @api.…` comments. */
  readonly api?: { readonly hidden?: true };
}

/** A single or compound key. */
export interface SchemaKey {
  /** Its name in a Prisma `where`: the field's name, the key's own name, or the fields joined by `_`. */
  readonly name: string;
  readonly fields: readonly string[];
  /** Its constraint, where `map` names that. */
  readonly constraint?: string;
}

export type SchemaField = SchemaScalarField | SchemaEnumField | SchemaRelationField;

interface SchemaFieldBase {
  /** Present on list fields (`String[]`, `Post[]`). */
  readonly list?: true;
  /** Present on fields that may be null. */
  readonly optional?: true;
  /** Exposure by a `/// @api.…` comment. */
  readonly api?: FieldPreset;
}

interface SchemaValueField extends SchemaFieldBase {
  /** What fills the column when a create leaves it out. */
  readonly default?: SchemaDefault;
  /** Present on `@updatedAt` fields. */
  readonly updatedAt?: true;
  /** Its column, where `@map` gives that another name. */
  readonly column?: string;
}

export interface SchemaScalarField extends SchemaValueField {
  readonly kind: 'scalar';
  readonly type: ScalarTypeName;
  /** The `@db.…` attribute where it changes what a value may be, e.g. `['VarChar', ['191']]`, `['Uuid', []]`, `['Date', []]`. */
  readonly nativeType?: readonly [name: string, args: readonly string[]];
}

export interface SchemaEnumField extends SchemaValueField {
  readonly kind: 'enum';
  /** The enum's name in {@link ResourceSchema.enums}. */
  readonly type: string;
}

export interface SchemaRelationField extends SchemaFieldBase {
  readonly kind: 'relation';
  /** The related model's name. */
  readonly type: string;
  /** Prisma's relation name, shared by both sides. */
  readonly relation: string;
  /** The field on the related model that is the other side; absent where the Prisma schema takes it out of the client (`@ignore`). */
  readonly opposite?: string;
  /** Present on the side that holds the foreign key, when the client offers its fields. */
  readonly foreignKey?: SchemaForeignKey;
}

export interface SchemaForeignKey {
  /** Scalar fields of this model. */
  readonly fields: readonly string[];
  /** The fields of the related model that they point to, in the same order. */
  readonly references: readonly string[];
  /** Prisma's referential action, when the schema names one: `Cascade`, `Restrict`, `SetNull`, … */
  readonly onDelete?: string;
  readonly onUpdate?: string;
}

/** A column's default: a literal, or a function of Prisma or the database (`autoincrement`, `uuid`, `now`, `dbgenerated`, …). */
export type SchemaDefault =
  | { readonly kind: 'value'; readonly value: string | number | boolean | readonly (string | number | boolean)[] }
  | { readonly kind: 'function'; readonly name: string; readonly args?: readonly (string | number)[] };

/**
 * Exposure presets of one field (public API, section 3).
 *
 * `hidden`: no right at all · `readOnly`: no create, no update · `writeOnly`: no read, filter or sort · `immutable`: no update.
 */
export type FieldPreset = 'hidden' | 'readOnly' | 'writeOnly' | 'immutable';
