import { ANY_NULL } from '../../model/json-value.js';
import { type Attribute } from '../../model/resource-model.js';
import { type OperandReader, type Operators, planOperators } from './plan-operators.js';
import { readMode, readText } from './plan-scalar-filter.js';
import { readValue } from './read-operand.js';
import { type Spot } from './spot.js';
import { oneOrMany } from './typed-slots.js';

/**
 * Plans a filter on a Json field. There is no short form: an object is always a filter, never a value.
 *
 * `equals: null` and `not: null` mean any null of the field itself, for a caller reads both the same; below a `path` null is the JSON value.
 */
export function planJsonFilter(attribute: Attribute, value: unknown, spot: Spot): Record<string, unknown> {
  return spellOutNull(planOperators({ attribute, operators: JSON_OPERATORS }, value, spot));
}

/** Writes the null of the field itself as Prisma wants it. Changes the filter that it is given. */
export function spellOutNull(filter: Record<string, unknown>): Record<string, unknown> {
  if (Object.hasOwn(filter, 'path')) return filter;
  for (const operator of ['equals', 'not']) if (filter[operator] === null) filter[operator] = ANY_NULL;
  return filter;
}

const readJsonOperand: OperandReader = (attribute, operand, spot) => (operand === null ? null : readValue(attribute, operand, spot));

/** Numbers and texts have an order; Prisma's engine panics on anything else. */
const readOrdered: OperandReader = (attribute, operand, spot) => {
  if (typeof operand === 'string') return readText(attribute, operand, spot);
  if (!Number.isFinite(operand)) spot.refuse('must be a number or a string.', 'invalid-value');
  return operand;
};

/** A list of keys on PostgreSQL, a JSONPath string on MySQL. */
const readPath: OperandReader = (attribute, operand, spot) => {
  if (Array.isArray(operand)) spot.spendTerms(operand.length);
  return oneOrMany(operand, spot, (key, place) => readText(attribute, key, place));
};

/** The operators of Prisma's `JsonFilter`. */
export const JSON_OPERATORS: Operators = new Map<string, OperandReader>([
  ['equals', readJsonOperand],
  ['not', readJsonOperand],
  ['path', readPath],
  ['mode', readMode],
  ['string_contains', readText],
  ['string_starts_with', readText],
  ['string_ends_with', readText],
  ['array_contains', readJsonOperand],
  ['array_starts_with', readJsonOperand],
  ['array_ends_with', readJsonOperand],
  ['lt', readOrdered],
  ['lte', readOrdered],
  ['gt', readOrdered],
  ['gte', readOrdered],
]);
