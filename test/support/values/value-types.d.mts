/** A type of a column. */
export interface ValueType {
  readonly name: string;
  /** The type of a field in a Prisma schema, with its attributes. */
  readonly prisma: string;
  readonly sql: string;
  readonly values: readonly string[];
  readonly variants?: readonly string[];
  /** Whether a key has this type. @default true */
  readonly isKey?: boolean;
  /** Whether Prisma's driver adapter reads lists of the type. @default true */
  readonly isList?: boolean;
}

export const VALUE_TYPES: readonly ValueType[];

/** Returns the name of a field for the name of a type. */
export function memberOf(name: string): string;

/** Returns a value as an expression of SQL. */
export function literalOf(type: ValueType, value: string): string;
