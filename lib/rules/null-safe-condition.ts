import { ApiError } from '../errors/api-error.js';
import { DB_NULL, prismaNullName } from '../model/values/json-value.js';
import { and, type Comparison, type Condition, equals, type JsonComparison, not, type OneCondition, or } from '../query/condition.js';
import { match, type Table } from '../query/match.js';
import { isFieldReference } from '../prisma/is-field-reference.js';

/**
 * Returns a condition that is true or false for every row, and never null.
 *
 * In SQL, a comparison with null is null. A rule may be part of a negated filter on a to-one relation, which Prisma joins. A null would then reveal
 * values of hidden rows: `NOT (null AND false)` is true, and `NOT (null AND true)` is not.
 *
 * @param whenNull the result of a comparison with null; true under a negation, so that the negation is false
 * @throws ApiError if the condition compares nullable values in a way that cannot be made null-safe
 */
export function nullSafe(condition: Condition, whenNull = false): Condition {
  return match(NULL_SAFE, condition, whenNull);
}

const same = <Kept>(node: Kept): Kept => node;
const nullSafeOne = (node: OneCondition, whenNull: boolean): Condition =>
  Object.freeze({ ...node, condition: nullSafe(node.condition, whenNull) });

const NULL_SAFE: Table<Condition, [boolean], Condition> = {
  always: same,
  never: same,
  and: ({ conditions }, whenNull) => and(...conditions.map((one) => nullSafe(one, whenNull))),
  or: ({ conditions }, whenNull) => or(...conditions.map((one) => nullSafe(one, whenNull))),
  not: ({ condition }, whenNull) => not(nullSafe(condition, !whenNull)),
  compare: nullSafeComparison,
  // A list may be null in the database.
  list: () => {
    throw undecidable();
  },
  json: nullSafeJson,
  key: same,
  // A to-many relation is queried by a subquery, whose result is never null.
  some: same,
  every: same,
  none: same,
  is: nullSafeOne,
  isNot: (node, whenNull) => nullSafeOne(node, !whenNull),
};

function nullSafeComparison(comparison: Comparison, whenNull: boolean): Condition {
  const { field, operand } = comparison;
  if (isFieldReference(operand)) throw undecidable();
  // A comparison with null itself, or with an empty list, is true or false for every row.
  const isDecided = !field.optional || operand === null || (Array.isArray(operand) && operand.length === 0);
  return isDecided ? comparison : decide(comparison, equals(field, null), whenNull);
}

function nullSafeJson(comparison: JsonComparison, whenNull: boolean): Condition {
  const { field, path, operand } = comparison;
  // A path may not exist in the value, and the comparison is then null.
  if (path !== undefined || isFieldReference(operand)) throw undecidable();
  if (!field.optional || isNullOperand(operand)) return comparison;
  const isNull: JsonComparison = { kind: 'json', field, operator: 'equals', operand: DB_NULL, isInsensitive: false };
  return decide(comparison, isNull, whenNull);
}

function decide(condition: Condition, isNull: Condition, whenNull: boolean): Condition {
  return whenNull ? or(condition, isNull) : and(condition, not(isNull));
}

/** Whether an operand is Prisma's `DbNull` or `AnyNull`. */
function isNullOperand(operand: unknown): boolean {
  const name = prismaNullName(operand);
  return name === 'DbNull' || name === 'AnyNull';
}

function undecidable(): ApiError {
  return new ApiError('invalid-filter', 'This relation cannot be used to filter.');
}
