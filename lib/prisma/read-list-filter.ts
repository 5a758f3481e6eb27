import type { ListOperator } from '../model/surface/prisma-operators.js';
import { comparesWholeLists } from '../model/surface/lacking-databases.js';
import type { Condition } from '../query/condition.js';
import type { Place } from './place.js';
import { readElement, readOperand, readValues } from './read-operand.js';
import { type Operator, type Operators, readOperators } from './read-operators.js';
import { readBoolean, readObject } from './typed-slots.js';
import type { AttributeWord } from './vocabulary.js';

/** Reads a filter on a list field. It has exactly one operator, as in Prisma's `…ListFilter` types. */
export function readListFilter(word: AttributeWord, value: unknown, place: Place): Condition {
  return readOneOperator(word, LIST_OPERATORS, { value, place });
}

/** Reads a filter on a list field in the `having` of a `groupBy`. */
export function readGroupListFilter(word: AttributeWord, value: unknown, place: Place): Condition {
  return readOneOperator(word, GROUP_LIST_OPERATORS, { value, place });
}

function readOneOperator(
  word: AttributeWord,
  operators: Operators,
  { value, place }: { readonly value: unknown; readonly place: Place },
): Condition {
  const condition = readOperators(word, operators, { value, place });
  const names = [...operators.keys()].join(', ');
  if (Object.keys(readObject(value, place)).length !== 1) place.refuse(`takes exactly one of ${names}.`, 'invalid-filter');
  return condition;
}

type OperandReader<Operand = unknown> = (word: AttributeWord, operand: unknown, place: Place) => Operand;

type OperatorRow = readonly [ListOperator, Operator];

function comparing(operator: ListOperator, takes: Operator['takes'], read: OperandReader): OperatorRow {
  const readCondition: Operator['read'] = (word, operand, place) =>
    Object.freeze({ kind: 'list', field: word.field, operator, operand: read(word, operand, place) });
  return [operator, { read: readCondition, takes }];
}

/** Returns an operator whose operand may be another field of the row. Prisma accepts no field for `equals` and `isEmpty`. */
function referable(operator: ListOperator, takes: 'nullable' | 'values', read: OperandReader): OperatorRow {
  const isList = takes === 'values';
  return comparing(operator, takes, (word, value, place) => readOperand(word, { value, place, isList }, () => read(word, value, place)));
}

const readMembers: OperandReader<readonly unknown[]> = (word, operand, place) => {
  if (Array.isArray(operand)) place.spendTerms(operand.length);
  return readValues(word, operand, place);
};

/** Reads a whole list. Some databases compare no whole lists of a type, except with the empty list. */
const readWhole: OperandReader = (word, operand, place) => {
  const members = readMembers(word, operand, place);
  if (members.length > 0 && !comparesWholeLists(word.field, place.database))
    place.refuse('must be empty: lists of Bytes are compared by has, hasEvery and hasSome alone.', 'invalid-filter');
  return members;
};

const EQUALS = comparing('equals', 'values', orNull(readWhole));

/** The operators of Prisma's `…ListFilter` types. `has` accepts null, which no list contains. */
export const LIST_OPERATORS: Operators = new Map<string, Operator>([
  EQUALS,
  referable('has', 'nullable', orNull(readElement)),
  referable('hasEvery', 'values', readMembers),
  referable('hasSome', 'values', readMembers),
  comparing('isEmpty', 'flag', (_, operand, place) => readBoolean(operand, place)),
]);

/** The operators in a `having`. Prisma's types also have the others, but its query compiler panics on them. */
export const GROUP_LIST_OPERATORS: Operators = new Map<string, Operator>([EQUALS]);

function orNull(read: OperandReader): OperandReader {
  return (word, operand, place) => (operand === null ? null : read(word, operand, place));
}
