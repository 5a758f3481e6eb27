/**
 * As much of the schema object that ZenStack 3 generates (`zenstack generate`) as we read: structural, since `@zenstackhq/schema` is the
 * host's. Shape of version 3.9.
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
  /** By the name of the key in a `where`; of a compound one, its fields. */
  readonly uniqueFields: Readonly<Record<string, unknown>>;
  readonly isView?: boolean;
  /** The base of polymorphic models: its rows are created as one of those. */
  readonly isDelegate?: boolean;
}

export interface ZenStackField {
  readonly type: string;
  readonly array?: boolean;
  readonly optional?: boolean;
  readonly updatedAt?: unknown;
  readonly attributes?: readonly ZenStackAttribute[];
  readonly default?: unknown;
  /** `@omit`: left out of results unless asked for. */
  readonly omit?: boolean;
  readonly relation?: ZenStackRelation;
  readonly computed?: boolean;
  /** Of a computed field that takes arguments. */
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
