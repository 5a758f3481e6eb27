/**
 * The metadata of a Prisma schema, as the generator writes it: plain data, `as const`, safe to commit.
 *
 * All names are Prisma's. The names and exposure that an application configures are applied later, when {@link ResourceModel} is built.
 */
export interface ResourceSchema {
  /** The version of this format. The module rejects a file of another version. */
  readonly version: 2;
  /** SHA-256 of the Prisma schema's text. A client that was generated from another text is reported at boot. */
  readonly hash?: string;
  /** The datasource's provider, e.g. `postgresql`. */
  readonly provider: DatabaseProvider;
  /** The ORM of the data client, if it is not Prisma. ORMs behave differently on the same database. */
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
  /** The values, as the Prisma client names them. */
  readonly values: readonly string[];
  /** The stored texts of the values that `@map` renames. */
  readonly stored?: Readonly<Record<string, string>>;
  /** The name in the database, if `@@map` changes it. */
  readonly databaseName?: string;
  /** The `@@schema`. */
  readonly schema?: string;
  /** The triple-slash comment. */
  readonly documentation?: string;
}

/** One Prisma model. */
export interface SchemaModel {
  /** Fields in the order of the Prisma schema, without unsupported column types, as in the Prisma client. */
  readonly fields: Readonly<Record<string, SchemaField>>;
  /** The table (view, collection), if `@@map` renames it. */
  readonly table?: string;
  /** The `@@schema`. */
  readonly schema?: string;
  /** The triple-slash comment, without `@api.…`. */
  readonly documentation?: string;
  /** The fields of supported types with `@ignore`, which the Prisma client omits. They may be foreign keys of relations that the client contains. */
  readonly ignored?: Readonly<Record<string, SchemaField>>;
  /** `@id` or `@@id`; absent on a model that has only unique keys. */
  readonly primaryKey?: SchemaKey;
  /** `@unique` and `@@unique` keys, in schema order. */
  readonly uniqueKeys: readonly SchemaKey[];
  /**
   * Present where the Prisma client supports fewer than four actions. A view is read-only; a model with a required column of an unsupported
   * type cannot be created.
   */
  readonly actions?: readonly ('read' | 'create' | 'update' | 'delete')[];
  /** The exposure by `/// @api.…` comments. */
  readonly api?: { readonly hidden?: true };
}

/** A single or compound key. */
export interface SchemaKey {
  /** The name in a Prisma `where`: the field's name, the name of the key, or the fields joined by `_`. */
  readonly name: string;
  readonly fields: readonly string[];
  /** The name of the constraint, if `map` sets it. */
  readonly constraint?: string;
}

export type SchemaField = SchemaScalarField | SchemaEnumField | SchemaRelationField;

interface SchemaFieldBase {
  /** Present on list fields (`String[]`, `Post[]`). */
  readonly list?: true;
  /** Present on nullable fields. */
  readonly optional?: true;
  /** The exposure by a `/// @api.…` comment. */
  readonly api?: FieldPreset;
  /** The triple-slash comment, without `@api.…`. */
  readonly documentation?: string;
}

interface SchemaValueField extends SchemaFieldBase {
  /** The default of the column, when a create omits it. */
  readonly default?: SchemaDefault;
  /** Present on `@updatedAt` fields. */
  readonly updatedAt?: true;
  /** The column, if `@map` renames it. */
  readonly column?: string;
}

export interface SchemaScalarField extends SchemaValueField {
  readonly kind: 'scalar';
  readonly type: ScalarTypeName;
  /** Present on the field with `/// @api.version`, which counts the changes of its row. */
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
  /** The opposite field on the related model; absent where the Prisma client omits it (`@ignore`). */
  readonly opposite?: string;
  /** Present on the side with the foreign key, if the client contains its fields. */
  readonly foreignKey?: SchemaForeignKey;
  /** Present on the side with the foreign key, if some of its fields are in {@link SchemaModel.ignored}. */
  readonly ignoredKey?: SchemaForeignKey;
  /** Present on both sides of an implicit many-to-many relation. */
  readonly joinTable?: SchemaJoinTable;
}

/** The join table of an implicit many-to-many relation. */
export interface SchemaJoinTable {
  readonly table: string;
  readonly schema?: string;
  /** The column that references the model of this side; the other column references the related model. */
  readonly column: 'A' | 'B';
}

export interface SchemaForeignKey {
  /** Scalar fields of this model. */
  readonly fields: readonly string[];
  /** The referenced fields of the related model, in the same order. */
  readonly references: readonly string[];
  /** Prisma's referential action, if the schema sets one: `Cascade`, `Restrict`, `SetNull`, … */
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
