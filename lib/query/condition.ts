import type { ComparisonOperator, JsonOperator, ListOperator } from '../model/surface/prisma-operators.js';
import type { StoredField, StoredKey, StoredModel, StoredRelation } from '../model/storage/storage.js';

/**
 * A condition on the rows of one model. Its nodes are frozen and reference the objects of the model, so that no code after the parsers resolves
 * names.
 *
 * There is no empty node: parsers drop filters that Prisma ignores (`{}`, `AND: []`), and an empty `OR: []` becomes {@link NEVER}. Comparisons with
 * null follow SQL's three-valued logic.
 */
export type Condition =
  Constant | Group | Negation | Comparison | ListComparison | JsonComparison | KeyCondition | QuantifiedCondition | OneCondition;

/** A condition that every row meets (`always`), or none (`never`). */
export interface Constant {
  readonly kind: 'always' | 'never';
}

/** A conjunction (`and`) or disjunction (`or`) of at least two conditions. */
export interface Group {
  readonly kind: 'and' | 'or';
  readonly conditions: readonly Condition[];
}

export interface Negation {
  readonly kind: 'not';
  readonly condition: Condition;
}

/** A comparison of a scalar or enum field with values of its type. */
export interface Comparison {
  readonly kind: 'compare';
  readonly field: StoredField;
  /** Set in a `having`, which compares an aggregate of the group instead of the field. */
  readonly aggregate?: AggregateFunction;
  readonly operator: ComparisonOperator;
  /** One value, or a list for `in` and `notIn`. Only `equals` takes null. A rule of the application may compare with another field of the row. */
  readonly operand: unknown;
  readonly isInsensitive: boolean;
  /** Whether the comparison is negated (`not: { … }`). A row with a null in the field does not match the negation either. */
  readonly isNegated: boolean;
}

/** A comparison of a list of scalars. */
export interface ListComparison {
  readonly kind: 'list';
  readonly field: StoredField;
  readonly operator: ListOperator;
  /** A list for `equals`, `hasEvery` and `hasSome`, a flag for `isEmpty`, one value for `has`. */
  readonly operand: unknown;
}

/** A comparison of a Json value, or of the part of it at a path. */
export interface JsonComparison {
  readonly kind: 'json';
  readonly field: StoredField;
  /** A list of keys, or on MySQL and SQLite a JSONPath. */
  readonly path?: unknown;
  readonly operator: JsonOperator;
  readonly operand: unknown;
  readonly isInsensitive: boolean;
}

/** A comparison of a primary or unique key with its values. It matches at most one row. */
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

/** A condition on the related row of a to-one relation. `is`: a row exists and meets the condition · `isNot`: no row exists that meets it. */
export interface OneCondition {
  readonly kind: 'is' | 'isNot';
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  /** {@link ALWAYS} makes `is` test that a row exists, and `isNot` that none exists (Prisma's `null`). */
  readonly condition: Condition;
  /**
   * The rule for the rows that the caller may read. Other rows count as missing. Absent: every row is readable. Only the SQL compiler supports it.
   */
  readonly readable?: Condition;
}

export type AggregateFunction = '_count' | '_avg' | '_sum' | '_min' | '_max';

/** One row, named by one or more of its keys, with a further condition that it must meet. */
export interface UniqueCondition {
  readonly keys: readonly [KeyCondition, ...KeyCondition[]];
  readonly more: Condition;
}

export const ALWAYS: Condition = Object.freeze({ kind: 'always' });
export const NEVER: Condition = Object.freeze({ kind: 'never' });

/** Returns the conjunction of conditions; {@link ALWAYS} without any. */
export function and(...conditions: readonly Condition[]): Condition {
  return group('and', conditions, { neutral: 'always', absorbing: NEVER });
}

/** Returns the disjunction of conditions; {@link NEVER} without any. */
export function or(...conditions: readonly Condition[]): Condition {
  return group('or', conditions, { neutral: 'never', absorbing: ALWAYS });
}

export function not(condition: Condition): Condition {
  if (condition.kind === 'always') return NEVER;
  if (condition.kind === 'never') return ALWAYS;
  return Object.freeze({ kind: 'not', condition });
}

interface Laws {
  /** The kind of condition that the group drops, because it does not change the result. */
  readonly neutral: Constant['kind'];
  /** The condition that alone decides the result of the group. */
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

/** Returns the condition that a field equals a value or null. */
export function equals(field: StoredField, operand: unknown): Comparison {
  return compare(field, 'equals', operand);
}

/** Returns a comparison of a field with a value of its type. */
export function compare(field: StoredField, operator: ComparisonOperator, operand: unknown): Comparison {
  return Object.freeze({ kind: 'compare', field, operator, operand, isInsensitive: false, isNegated: false });
}

/**
 * Returns a condition on a required field that every existing row meets. As the condition on a related row, unlike {@link ALWAYS}, it makes Prisma
 * check that the row exists. A Boolean is compared with its two values, because Prisma has no `in` for it.
 */
export function hasAny(field: StoredField): Condition {
  return field.type === 'Boolean' ? or(equals(field, true), equals(field, false)) : not(compare(field, 'in', []));
}

/** Returns a unique condition as a plain {@link Condition}. */
export function uniqueAsCondition({ keys, more }: UniqueCondition): Condition {
  return and(...keys, more);
}
