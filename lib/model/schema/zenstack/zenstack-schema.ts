/**
 * The parts of the schema object that `zenstack generate` (ZenStack 3.9) writes and that this package reads. The type is structural,
 * because `@zenstackhq/schema` is a dependency of the application.
 */
export interface ZenStackSchema {
  readonly provider: { readonly type: 'postgresql' | 'mysql' | 'sqlite' };
  readonly models: Readonly<Record<string, ZenStackModel>>;
  readonly enums?: Readonly<Record<string, { readonly values: Readonly<Record<string, string>> }>>;
  /** Types of structured JSON columns. */
  readonly typeDefs?: Readonly<Record<string, unknown>>;
}

export interface ZenStackModel {
  readonly fields: Readonly<Record<string, ZenStackField>>;
  readonly attributes?: readonly ZenStackAttribute[];
  readonly idFields: readonly string[];
  /** Unique keys by their name in a `where`; a compound key contains its fields. */
  readonly uniqueFields: Readonly<Record<string, unknown>>;
  readonly isView?: boolean;
  /** Whether the model is the base of polymorphic models. Its rows are created through these models. */
  readonly isDelegate?: boolean;
}

export interface ZenStackField {
  readonly type: string;
  readonly array?: boolean;
  readonly optional?: boolean;
  readonly updatedAt?: unknown;
  readonly attributes?: readonly ZenStackAttribute[];
  readonly default?: unknown;
  /** `@omit`: not in results unless selected. */
  readonly omit?: boolean;
  readonly relation?: ZenStackRelation;
  readonly computed?: boolean;
  /** Present on a computed field with parameters. */
  readonly params?: unknown;
}

export interface ZenStackRelation {
  readonly name?: string;
  readonly opposite?: string;
  readonly fields?: readonly string[];
  readonly references?: readonly string[];
  readonly onDelete?: string;
  readonly onUpdate?: string;
}

export interface ZenStackAttribute {
  readonly name: string;
  readonly args?: readonly { readonly name?: string; readonly value: unknown }[];
}
