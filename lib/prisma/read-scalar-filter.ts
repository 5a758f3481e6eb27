import type { DatabaseProvider } from '../model/schema/resource-schema.js';
import type { StoredField } from '../model/storage/storage.js';
import { WITHOUT_CASE_FOLDING, WITHOUT_SEARCH } from '../model/surface/lacking-databases.js';
import type { ComparisonOperator } from '../model/surface/prisma-operators.js';
import { ALWAYS, type Comparison, type Condition } from '../query/condition.js';
import { mapCondition } from '../query/map-condition.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { literalText } from './like-patterns.js';
import type { Place } from './place.js';
import { readNullable, readOperand, readValues } from './read-operand.js';
import { requireComparison, requireFolding } from './require-comparison.js';
import { type Given, type Operator, type OperatorReader, type Operators, readOperators } from './read-operators.js';
import { readPart, readSearch } from './read-text.js';
import { readChoice } from './typed-slots.js';
import type { AttributeWord } from './vocabulary.js';

/** Reads a filter on a scalar or enum field. A value is a short form of `equals`, and an object has operators. */
export function readScalarFilter(word: AttributeWord, value: unknown, place: Place): Condition {
  if (isPlainObject(value)) return readComparisons(word, operatorsOf(word.field), { value, place });
  word.requireOperator('equals', place);
  requireComparison(word.field, 'equals', { value, place });
  place.spendTerms(1);
  return comparison(word, 'equals', readNullable(word, value, place));
}

/** Reads an object of operators. Its `mode` applies to all of them, also within `not`. */
export function readComparisons(word: AttributeWord, operators: Operators, given: Given): Condition {
  const condition = readOperators(word, operators, given);
  if (!isPlainObject(given.value) || given.value['mode'] !== 'insensitive' || word.field.type !== 'String') return condition;
  requireFolding(word.field, given.place);
  return mapComparisons(condition, (one) => {
    // A full-text search is always case-insensitive, and Prisma's engine panics if `mode` is set.
    if (one.operator === 'search') given.place.member('mode').refuse('does not go with search.', 'invalid-filter');
    if (one.operator === 'equals' && word.findReference(one.operand))
      given.place.member('mode').refuse('does not go with equals and a field, whose text would be a pattern.', 'invalid-filter');
    return literalEquality({ ...one, isInsensitive: true }, given.place);
  });
}

/**
 * Escapes the operand of a case-insensitive `equals`, because Prisma compares by `ILIKE`. The result of an aggregate function is compared
 * case-sensitively.
 */
function literalEquality(comparison: Comparison, { database: { provider, orm } }: Place): Comparison {
  const { operator, operand, aggregate } = comparison;
  if (operator !== 'equals' || typeof operand !== 'string' || aggregate !== undefined || orm !== 'prisma') return comparison;
  return { ...comparison, operand: literalText(operand, provider) };
}

function comparison({ field }: AttributeWord, operator: ComparisonOperator, operand: unknown): Comparison {
  return Object.freeze({ kind: 'compare', field, operator, operand, isInsensitive: false, isNegated: false });
}

/** Maps every comparison of a filter. */
export function mapComparisons(condition: Condition, map: (comparison: Comparison) => Comparison): Condition {
  return mapCondition(condition, (one) => (one.kind === 'compare' ? Object.freeze(map(one)) : one));
}

/** Returns the operators of Prisma's `…Filter` types, by the type of the field. */
export function operatorsOf({ type, lacks }: Pick<StoredField, 'type' | 'lacks'>): Operators {
  return type === 'String' && lacks?.has('text') ? WHOLE_STRING : OPERATORS[type];
}

/** Reads the operand of `not`: a value, or a filter of which each comparison is negated. */
const readNot: OperatorReader = (word, operand, place) => readNegated(word, operatorsOf(word.field), { value: operand, place });

export function readNegated(word: AttributeWord, operators: Operators, { value, place }: Given): Condition {
  if (!isPlainObject(value)) return { ...comparison(word, 'equals', readNullable(word, value, place)), isNegated: true };
  const condition = withoutMode(readComparisons(word, operators, { value, place }), { value, place });
  // Prisma reads `not` within `not` as a single `not`.
  return mapComparisons(condition, (one) => ({ ...one, isNegated: true }));
}

/** Rejects a `mode` within another filter. Prisma accepts only that of the outer filter, which applies to both. */
export function withoutMode<Filter>(filter: Filter, { value, place }: Given): Filter {
  const isRefused = isPlainObject(value) && value['mode'] !== undefined && place.database.orm === 'prisma';
  if (isRefused) place.member('mode').refuse('stands beside the outer operators: it is for those within, too.', 'invalid-filter');
  return filter;
}

function readSet(word: AttributeWord, operand: unknown, place: Place): unknown {
  if (operand === null && word.field.optional) return null;
  if (Array.isArray(operand)) place.spendTerms(operand.length);
  return readValues(word, operand, place);
}

/** The values of `mode`. */
export const MODES = ['default', 'insensitive'] as const;

export const MODE_OPERAND: Operator = {
  read: (_, operand, place) => {
    readChoice(operand, place, MODES);
    return ALWAYS;
  },
  takes: 'mode',
};

const TEXT_MODE_OPERAND: Operator = { ...MODE_OPERAND, lackedBy: WITHOUT_CASE_FOLDING };

type OperatorRow = readonly [name: ComparisonOperator | 'not' | 'mode', operator: Operator];

function value(operator: ComparisonOperator): OperatorRow {
  return [operator, comparing(operator, 'value', (word, operand, place) => word.read(operand, place))];
}

function values(operator: ComparisonOperator): OperatorRow {
  return [operator, comparing(operator, 'values', readSet)];
}

/** Returns a text operator. Its operand is plain text for every column, because a part of a UUID is no UUID. */
function text(operator: ComparisonOperator, lackedBy?: ReadonlySet<DatabaseProvider>): OperatorRow {
  const readPattern = operator === 'search' ? readSearch : readPart;
  return [operator, { ...comparing(operator, 'text', (_, operand, place) => readPattern(operand, place)), ...(lackedBy && { lackedBy }) }];
}

type OperandReader = (word: AttributeWord, operand: unknown, place: Place) => unknown;

function comparing(operator: ComparisonOperator, takes: Operator['takes'], readValue: OperandReader): Operator {
  const read: OperatorReader = (word, operand, place) =>
    comparison(
      word,
      operator,
      readOperand(word, { value: operand, place, isList: takes === 'values' }, () => readValue(word, operand, place)),
    );
  return { read, takes };
}

const EQUALITY: readonly OperatorRow[] = [
  ['equals', { read: (word, operand, place) => comparison(word, 'equals', readNullable(word, operand, place)), takes: 'nullable' }],
  ['not', { read: readNot, takes: 'filter' }],
];

const MEMBERSHIP: readonly OperatorRow[] = [...EQUALITY, values('in'), values('notIn')];

const ORDER: readonly OperatorRow[] = [...MEMBERSHIP, value('lt'), value('lte'), value('gt'), value('gte')];

const WHOLE_STRING: Operators = new Map<string, Operator>([...ORDER, ['mode', TEXT_MODE_OPERAND]]);

const STRING: Operators = new Map<string, Operator>([
  ...WHOLE_STRING,
  text('contains'),
  text('startsWith'),
  text('endsWith'),
  text('search', WITHOUT_SEARCH),
]);

const ORDERED: Operators = new Map<string, Operator>(ORDER);
const UNORDERED: Operators = new Map<string, Operator>(MEMBERSHIP);

const OPERATORS: Readonly<Record<StoredField['type'], Operators>> = {
  String: STRING,
  Boolean: new Map<string, Operator>(EQUALITY),
  Int: ORDERED,
  BigInt: ORDERED,
  Float: ORDERED,
  Decimal: ORDERED,
  DateTime: ORDERED,
  Bytes: UNORDERED,
  Enum: UNORDERED,
  // Json fields have other filters: `readJsonFilter`.
  Json: new Map(),
};
