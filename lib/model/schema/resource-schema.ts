/**
 * The metadata of a Prisma schema, as the generator writes it: plain data, `as const`, safe to commit.
 *
 * Everything here uses Prisma's names. What a host hides or renames is decided later, when {@link ResourceModel} is built.
 */
export interface ResourceSchema {
  /** Version of this shape; the module refuses a file written for another one. */
  readonly version: 2;
  /** SHA-256 of the text of the Prisma schema that it was made from; a client that was made from another text is told at boot. */
  readonly hash?: string;
  /** The datasource's provider, e.g. `postgresql`. */
  readonly provider: DatabaseProvider;
  /** The data client's ORM where it is not Prisma's: they differ in what they do on a database. */
  readonly orm?: 'zenstack';
  /** The enums, by Prisma's name. */
  readonly enums: Readonly<Record<string, SchemaEnum>>;
  /** The models, by Prisma's model name. */
  readonly models: Readonly<Record<string, SchemaModel>>;
}

/** Databases that Prisma has a connector for. */
export type DatabaseProvider = 'postgresql' | 'mysql' | 'sqlite' | 'sqlserver' | 'cockroachdb' | 'mongodb';

/** Prisma's scalar types. */
export type ScalarTypeName = 'String' | 'Boolean' | 'Int' | 'BigInt' | 'Float' | 'Decimal' | 'DateTime' | 'Json' | 'Bytes';

/** One Prisma enum. */
export interface SchemaEnum {
  /** As the Prisma client names them. */
  readonly values: readonly string[];
  /** What the database stores for those values that `@map` gives another text. */
  readonly stored?: Readonly<Record<string, string>>;
  /** Its name in the database, where `@@map` gives it another. */
  readonly databaseName?: string;
  /** Its `@@schema`. */
  readonly schema?: string;
  /** Its triple-slash comment. */
  readonly documentation?: string;
}

/** One Prisma model. */
export interface SchemaModel {
  /** Fields in the order of the Prisma schema; unsupported column types are left out, as in the Prisma client. */
  readonly fields: Readonly<Record<string, SchemaField>>;
  /** Its table (view, collection), where `@@map` gives that another name. */
  readonly table?: string;
  /** Its `@@schema`. */
  readonly schema?: string;
  /** Its triple-slash comment, without `@api.…`. */
  readonly documentation?: string;
  /**
   * The fields with `@ignore`, which the Prisma client does not offer, of supported types: relations that it does offer may be held by keys among
   * them.
   */
  readonly ignored?: Readonly<Record<string, SchemaField>>;
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
  /** Its triple-slash comment, without `@api.…`. */
  readonly documentation?: string;
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
  /** Present on the field with `/// @api.version`: it counts the changes of its row. */
  readonly version?: true;
  /** The `@db.…` attribute, e.g. `['VarChar', ['191']]`, `['Uuid', []]`, `['Date', []]`. */
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
  /** Present on the side that holds the foreign key, when some of its fields are {@link SchemaModel.ignored}. */
  readonly ignoredKey?: SchemaForeignKey;
  /** Present on both sides of an implicit many-to-many relation. */
  readonly joinTable?: SchemaJoinTable;
}

/** The table that holds the pairs of an implicit many-to-many relation. */
export interface SchemaJoinTable {
  readonly table: string;
  readonly schema?: string;
  /** The column that refers to the model of this side; the other one refers to the related model. */
  readonly column: 'A' | 'B';
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
