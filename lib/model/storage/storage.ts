import type { DatabaseProvider, ScalarTypeName, SchemaDefault } from '../schema/resource-schema.js';
import type { ComparisonKind } from '../surface/comparison-kind.js';

/**
 * Every model as the database has it, including hidden models and fields. It is for planners, errors of the data layer, row rules and SQL;
 * nothing of it may appear in a response, a document or a log.
 */
export interface Storage {
  readonly provider: DatabaseProvider;
  readonly orm: 'prisma' | 'zenstack';
  /** Whether any model has a version field. */
  readonly isVersioned: boolean;
  /** The models by Prisma's model name. */
  readonly byModel: ReadonlyMap<string, StoredModel>;
}

/** One model of the Prisma schema, with its table. */
export interface StoredModel {
  /** Prisma's model name. */
  readonly model: string;
  /** The name of the delegate in the data client, e.g. `blogPost` of `BlogPost`. */
  readonly delegate: string;
  readonly table: string;
  /** The `@@schema`. */
  readonly schema?: string;
  /** The scalar and enum fields by Prisma's name, in schema order; those with `@ignore` are last. */
  readonly fields: ReadonlyMap<string, StoredField>;
  /** Prisma's field names by column name. */
  readonly columns: ReadonlyMap<string, string>;
  /** The relation fields by Prisma's name, in schema order; those with `@ignore` are last. */
  readonly relations: ReadonlyMap<string, StoredRelation>;
  readonly primaryKey?: StoredKey;
  /** The version field: every write adds 1. */
  readonly version?: StoredField;
  readonly uniqueKeys: readonly StoredKey[];
  readonly constraints: readonly Constraint[];
}

/** A scalar or enum field, with its column. */
export interface StoredField {
  /** Prisma's field name. */
  readonly name: string;
  readonly column: string;
  readonly type: ScalarTypeName | 'Enum';
  /** Present exactly when `type` is `Enum`. */
  readonly enumType?: StoredEnum;
  readonly list: boolean;
  readonly optional: boolean;
  /** The default when a create omits the field; absent without a default, and for `@updatedAt`. */
  readonly default?: SchemaDefault;
  /** Whether every write sets the field to the current time (`@updatedAt`). */
  readonly isUpdatedAt?: true;
  /** The `@db.…` type, if the schema has one. */
  readonly nativeType?: readonly [name: string, args: readonly string[]];
  /** The comparisons that the database lacks for the type; absent where it has all. */
  readonly lacks?: ReadonlySet<ComparisonKind>;
  /** Whether the Prisma client omits the field (`@ignore`), so that no argument may name it. */
  readonly ignored: boolean;
  /** Present on Json and Float fields with Prisma, whose client changes some values unless they are printed in an exact form. */
  readonly needsExactForm?: true;
}

/** An enum as the database has it. */
export interface StoredEnum {
  readonly name: string;
  /** The `@@schema`. */
  readonly schema?: string;
  /** The stored values, by their names in the Prisma client. */
  readonly values: ReadonlyMap<string, string>;
}

/** A primary or unique key, by Prisma's names. */
export interface StoredKey {
  /** Its name in a Prisma `where`. */
  readonly name: string;
  readonly fields: readonly string[];
}

/** A constraint of the database on a key: a primary, unique or foreign key. */
export interface Constraint {
  readonly name: string;
  /** Prisma's names of the fields. */
  readonly fields: readonly string[];
}

/** A relation field with the place where the relation is stored: exactly one of `foreignKey`, `referredBy` and `joinTable`. */
export interface StoredRelation {
  /** Prisma's field name. */
  readonly name: string;
  /** The related Prisma model. */
  readonly target: string;
  readonly many: boolean;
  readonly optional: boolean;
  /** The opposite field on the target, even if it is hidden or ignored. */
  readonly opposite?: string;
  /** Whether the Prisma client omits the field (`@ignore`). */
  readonly ignored: boolean;
  /** The foreign key of this model, which references the target. */
  readonly foreignKey?: StoredForeignKey;
  /** The foreign key of the target, which references this model. */
  readonly referredBy?: StoredForeignKey;
  readonly joinTable?: StoredJoinTable;
}

/** Pairs of fields, by Prisma's names. */
export interface StoredForeignKey {
  readonly fields: readonly string[];
  readonly references: readonly string[];
  /** Prisma's referential action, if the schema sets one. */
  readonly onDelete?: string;
}

/** The join table of an implicit many-to-many relation. Each column references the primary key of its model. */
export interface StoredJoinTable {
  readonly table: string;
  readonly schema?: string;
  /** The column that references this model. */
  readonly ownColumn: 'A' | 'B';
  /** The column that references the target. */
  readonly targetColumn: 'A' | 'B';
}
