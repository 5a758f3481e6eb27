import type { Attribute } from '../../model/surface/surface.js';
import { type Filtered, type OperandReader, type Operator, type Operators, planOperators } from './plan-operators.js';
import { readElement, readValues } from './read-operand.js';
import type { ArgumentPath } from './argument-path.js';
import { readBoolean } from './typed-slots.js';

/** Plans a filter on a list field: exactly one operator, as Prisma's `…ListFilter` types want it. */
export function planListFilter(attribute: Attribute, value: unknown, path: ArgumentPath): Record<string, unknown> {
  return planOneOperator({ attribute, operators: LIST_OPERATORS }, value, path);
}

/** Plans a filter on a list field in the `having` of a `groupBy`. */
export function planGroupListFilter(attribute: Attribute, value: unknown, path: ArgumentPath): Record<string, unknown> {
  return planOneOperator({ attribute, operators: GROUP_LIST_OPERATORS }, value, path);
}

function planOneOperator(filtered: Filtered, value: unknown, path: ArgumentPath): Record<string, unknown> {
  const filter = planOperators(filtered, value, path);
  const names = [...filtered.operators.keys()].join(', ');
  if (Object.keys(filter).length !== 1) path.refuse(`takes exactly one of ${names}.`, 'invalid-filter');
  return filter;
}

const readMembers: OperandReader = (attribute, operand, path) => {
  if (Array.isArray(operand)) path.spendTerms(operand.length);
  return readValues(attribute, operand, path);
};

const EQUALS: Operator = { read: orNull(readMembers), takes: 'values' };

/** The operators of Prisma's `…ListFilter` types. Null has no members and is one of none. */
export const LIST_OPERATORS: Operators = new Map<string, Operator>([
  ['equals', EQUALS],
  ['has', { read: orNull(readElement), takes: 'nullable' }],
  ['hasEvery', { read: readMembers, takes: 'values' }],
  ['hasSome', { read: readMembers, takes: 'values' }],
  ['isEmpty', { read: (_, operand, path) => readBoolean(operand, path), takes: 'flag' }],
]);

/** Prisma lists all of them in a `having` too, where its query compiler panics at every other. */
export const GROUP_LIST_OPERATORS: Operators = new Map<string, Operator>([['equals', EQUALS]]);

function orNull(read: OperandReader): OperandReader {
  return (attribute, operand, path) => (operand === null ? null : read(attribute, operand, path));
}
