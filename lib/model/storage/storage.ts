import type { DatabaseProvider, ScalarTypeName, SchemaDefault } from '../schema/resource-schema.js';
import type { ComparisonKind } from '../surface/comparison-kind.js';

/**
 * Every model as the database has it, hidden models and fields among the others. For planners, errors of the data layer, row rules and SQL:
 * nothing of it may reach an answer, a document or a log.
 */
export interface Storage {
  readonly provider: DatabaseProvider;
  readonly orm: 'prisma' | 'zenstack';
  /** Whether rows of any model have a version. */
  readonly isVersioned: boolean;
  /** By Prisma's model name. */
  readonly byModel: ReadonlyMap<string, StoredModel>;
}

/** One model of the Prisma schema, with its table. */
export interface StoredModel {
  /** Prisma's model name. */
  readonly model: string;
  readonly table: string;
  /** Its `@@schema`. */
  readonly schema?: string;
  /** The scalar and enum fields, by Prisma's name, in schema order, those with `@ignore` last. */
  readonly fields: ReadonlyMap<string, StoredField>;
  /** Prisma's names of the fields, by column. */
  readonly columns: ReadonlyMap<string, string>;
  /** The relation fields, by Prisma's name, in schema order, those with `@ignore` last. */
  readonly relations: ReadonlyMap<string, StoredRelation>;
  readonly primaryKey?: StoredKey;
  /** Counts the changes of a row: every write adds 1. */
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
  /** What fills it when a create leaves it out; absent where nothing does, or `@updatedAt`. */
  readonly default?: SchemaDefault;
  /** Whether every write sets it to its time (`@updatedAt`). */
  readonly isUpdatedAt?: true;
  /** The `@db.…` type, where the schema names one. */
  readonly nativeType?: readonly [name: string, args: readonly string[]];
  /** The comparisons that the database does not have for its type; absent where it has all. */
  readonly lacks?: ReadonlySet<ComparisonKind>;
  /** Whether the Prisma client does not offer it (`@ignore`): no argument of a call may name it. */
  readonly ignored: boolean;
  /** Present on Json and Float fields of Prisma: its client changes some values unless they are printed in an exact form. */
  readonly needsExactForm?: true;
}

/** An enum as the database has it. */
export interface StoredEnum {
  readonly name: string;
  /** Its `@@schema`. */
  readonly schema?: string;
  /** What is stored, by the Prisma client's name of the value. */
  readonly values: ReadonlyMap<string, string>;
}

/** A primary or unique key, by Prisma's names. */
export interface StoredKey {
  /** Its name in a Prisma `where`. */
  readonly name: string;
  readonly fields: readonly string[];
}

/** A key that the database watches over: the primary one, a unique one, or a foreign one. */
export interface Constraint {
  readonly name: string;
  /** Prisma's names of its fields. */
  readonly fields: readonly string[];
}

/** A relation field, and where its pairs are: in one of the three places that are named last. */
export interface StoredRelation {
  /** Prisma's field name. */
  readonly name: string;
  /** The related Prisma model. */
  readonly target: string;
  readonly many: boolean;
  readonly optional: boolean;
  /** The field on the target that is the other side, be it hidden or ignored. */
  readonly opposite?: string;
  /** Whether the Prisma client does not offer it (`@ignore`). */
  readonly ignored: boolean;
  /** The key of this model: which of its fields refer to which of the target's. */
  readonly foreignKey?: StoredForeignKey;
  /** The key of the target: which of its fields refer to which of this model's. */
  readonly referredBy?: StoredForeignKey;
  readonly joinTable?: StoredJoinTable;
}

/** Pairs of fields, by Prisma's names. */
export interface StoredForeignKey {
  readonly fields: readonly string[];
  readonly references: readonly string[];
}

/** The table of an implicit many-to-many relation. Each column refers to the primary key of its model. */
export interface StoredJoinTable {
  readonly table: string;
  readonly schema?: string;
  /** The column that refers to this model. */
  readonly ownColumn: 'A' | 'B';
  /** The column that refers to the target. */
  readonly targetColumn: 'A' | 'B';
}
