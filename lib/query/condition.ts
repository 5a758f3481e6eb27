import type { ComparisonOperator, JsonOperator, ListOperator } from '../model/surface/prisma-operators.js';
import type { StoredField, StoredKey, StoredModel, StoredRelation } from '../model/storage/storage.js';

/**
 * A condition on the rows of one model. Its nodes are frozen and hold the model's own objects, so nothing is looked up by name behind the parsers.
 *
 * There is no empty node: what Prisma leaves out of a filter (`{}`, `AND: []`) is gone after reading, and what finds nothing (`OR: []`) is
 * {@link NEVER}. A comparison with null is unknown here exactly where it is in SQL.
 */
export type Condition =
  Constant | Group | Negation | Comparison | ListComparison | JsonComparison | KeyCondition | QuantifiedCondition | OneCondition;

/** True, or false, of every row. */
export interface Constant {
  readonly kind: 'always' | 'never';
}

/** All of several conditions, or any of them: always two or more. */
export interface Group {
  readonly kind: 'and' | 'or';
  readonly conditions: readonly Condition[];
}

export interface Negation {
  readonly kind: 'not';
  readonly condition: Condition;
}

/** A scalar or enum field compared with values of its type. */
export interface Comparison {
  readonly kind: 'compare';
  readonly field: StoredField;
  /** Present in a `having`, where not the field is compared but what the function makes of a group. */
  readonly aggregate?: AggregateFunction;
  readonly operator: ComparisonOperator;
  /** One value, or a list of them for `in` and `notIn`; null for `equals` alone. A host's rule may compare with another field of the row. */
  readonly operand: unknown;
  readonly isInsensitive: boolean;
  /** Whether the comparison must not hold (`not: { … }`): a null is then as unknown as before. */
  readonly isNegated: boolean;
}

/** A list of scalars. */
export interface ListComparison {
  readonly kind: 'list';
  readonly field: StoredField;
  readonly operator: ListOperator;
  /** A list for `equals`, `hasEvery` and `hasSome`, a flag for `isEmpty`, one value for `has`. */
  readonly operand: unknown;
}

/** A Json value, or the part of it that a path leads to. */
export interface JsonComparison {
  readonly kind: 'json';
  readonly field: StoredField;
  /** A list of keys, or on MySQL and SQLite a JSONPath. */
  readonly path?: unknown;
  readonly operator: JsonOperator;
  readonly operand: unknown;
  readonly isInsensitive: boolean;
}

/** The values of a primary or unique key: one row at most. */
export interface KeyCondition {
  readonly kind: 'key';
  readonly model: StoredModel;
  readonly key: StoredKey;
  /** In the order of the key's fields. */
  readonly values: readonly unknown[];
}

/** A condition on the rows of a to-many relation. */
export interface QuantifiedCondition {
  readonly kind: 'some' | 'every' | 'none';
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  readonly condition: Condition;
}

/** A condition on the row that a to-one relation leads to. `is`: there is one that meets it · `isNot`: there is none that does. */
export interface OneCondition {
  readonly kind: 'is' | 'isNot';
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  /** {@link ALWAYS} asks whether there is a row: `isNot` is then Prisma's null. */
  readonly condition: Condition;
  /** The rows that the caller may read: any other counts as none. SQL alone can compile it. Absent: all rows. */
  readonly readable?: Condition;
}

export type AggregateFunction = '_count' | '_avg' | '_sum' | '_min' | '_max';

/** A row that is named by at least one of its keys, and that may have to meet more. */
export interface UniqueCondition {
  readonly keys: readonly [KeyCondition, ...KeyCondition[]];
  readonly more: Condition;
}

export const ALWAYS: Condition = Object.freeze({ kind: 'always' });
export const NEVER: Condition = Object.freeze({ kind: 'never' });

/** All of the conditions. */
export function and(...conditions: readonly Condition[]): Condition {
  return group('and', conditions, { neutral: 'always', absorbing: NEVER });
}

/** Any of the conditions; without one it is {@link NEVER}. */
export function or(...conditions: readonly Condition[]): Condition {
  return group('or', conditions, { neutral: 'never', absorbing: ALWAYS });
}

export function not(condition: Condition): Condition {
  if (condition.kind === 'always') return NEVER;
  if (condition.kind === 'never') return ALWAYS;
  return Object.freeze({ kind: 'not', condition });
}

interface Laws {
  /** What says nothing in the group. */
  readonly neutral: Constant['kind'];
  /** What decides the group alone. */
  readonly absorbing: Condition;
}

function group(kind: Group['kind'], conditions: readonly Condition[], { neutral, absorbing }: Laws): Condition {
  const said: Condition[] = [];
  for (const condition of conditions) {
    if (condition.kind === absorbing.kind) return absorbing;
    if (condition.kind === kind) said.push(...condition.conditions);
    else if (condition.kind !== neutral) said.push(condition);
  }
  const [only, ...others] = said;
  if (only === undefined) return kind === 'and' ? ALWAYS : NEVER;
  return others.length === 0 ? only : Object.freeze({ kind, conditions: Object.freeze(said) });
}

/** A field equal to a value, or null. */
export function equals(field: StoredField, operand: unknown): Comparison {
  return compare(field, 'equals', operand);
}

/** A field compared with a value of its type. */
export function compare(field: StoredField, operator: ComparisonOperator, operand: unknown): Comparison {
  return Object.freeze({ kind: 'compare', field, operator, operand, isInsensitive: false, isNegated: false });
}

/** The condition of one row, wherever conditions stand. */
export function uniqueAsCondition({ keys, more }: UniqueCondition): Condition {
  return and(...keys, more);
}
