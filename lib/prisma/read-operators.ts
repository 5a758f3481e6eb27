import type { DatabaseProvider } from '../model/schema/resource-schema.js';
import { and, type Condition } from '../query/condition.js';
import { AGGREGATE_FUNCTIONS } from './words.js';
import type { Place } from './place.js';
import { requireComparison } from './require-comparison.js';
import { readObject } from './typed-slots.js';
import type { AttributeWord } from './vocabulary.js';

/** Reads the operand of one operator of a filter as a condition. */
export type OperatorReader = (word: AttributeWord, operand: unknown, place: Place) => Condition;

/** One operator of a filter. */
export interface Operator {
  readonly read: OperatorReader;
  /** The type of its operand, for OpenAPI. */
  readonly takes: OperandType;
  /** The databases on which Prisma does not have the operator. */
  readonly lackedBy?: ReadonlySet<DatabaseProvider>;
}

/**
 * The type of an operand.
 *
 * `value`: a value of the field's type · `nullable`: the same, or null if the field may be null · `values`: a list of values · `filter`: a value or a
 * filter with the same operators · `text` · `mode` · `flag`: true or false · `path`: a path into a Json value · `json`: any JSON · `ordered-json`: a
 * number or a text · `result`: a filter on the result of an aggregate function
 */
export type OperandType =
  'value' | 'nullable' | 'values' | 'filter' | 'text' | 'mode' | 'flag' | 'path' | 'json' | 'ordered-json' | 'result';

/** The operators of one kind of filter, by name. */
export type Operators = ReadonlyMap<string, Operator>;

/**
 * Reads a filter object, e.g. `{ gte: 1, lt: 5 }`. Every operator must exist, must be allowed for the field, and must have an operand of its type.
 */
export function readOperators(word: AttributeWord, operators: Operators, { value, place }: Given): Condition {
  const filter = readObject(value, place);
  const keys = Object.keys(filter);
  place.spendTerms(Math.max(1, keys.length));
  const conditions = keys.map((key) => {
    const at = place.member(key);
    const { read, lackedBy } = operators.get(key) ?? at.refuseUnknown(operators.keys());
    if (lackedBy) requireOffered(lackedBy, at);
    if (!MODIFIERS.has(key)) word.requireOperator(key, at);
    requireComparison(word.field, key, { value: filter[key], place: at });
    return read(word, filter[key], at);
  });
  const condition = and(...conditions);
  // A filter with only a `path` or a `mode` has no comparison, so it is treated like `{}`.
  if (condition.kind === 'always') place.enter({});
  return condition;
}

/** A value and its position. */
export interface Given {
  readonly value: unknown;
  readonly place: Place;
}

/** Rejects an operator that Prisma does not have on the database. ZenStack has different operators. */
function requireOffered(lackedBy: ReadonlySet<DatabaseProvider>, place: Place): void {
  const { provider, orm } = place.database;
  if (orm !== 'prisma' || !lackedBy.has(provider)) return;
  place.refuse(`is an operator that the database (${provider}) does not have.`, 'invalid-filter');
}

/** Keys without a right for each operator: `mode`, and the aggregates, whose own filters are checked separately. */
const MODIFIERS: ReadonlySet<string> = new Set(['mode', ...AGGREGATE_FUNCTIONS]);
