import { type Attribute } from '../../model/resource-model.js';
import { type OperandReader, type Operators, planOperators } from './plan-operators.js';
import { readElement, readValues } from './read-operand.js';
import { type Spot } from './spot.js';
import { readBoolean } from './typed-slots.js';

/** Plans a filter on a list field: exactly one operator, as Prisma's `…ListFilter` types want it. */
export function planListFilter(attribute: Attribute, value: unknown, spot: Spot): Record<string, unknown> {
  const filter = planOperators({ attribute, operators: LIST_OPERATORS }, value, spot);
  if (Object.keys(filter).length !== 1) spot.refuse(`takes exactly one of ${[...LIST_OPERATORS.keys()].join(', ')}.`, 'invalid-filter');
  return filter;
}

const readMembers: OperandReader = (attribute, operand, spot) => {
  if (Array.isArray(operand)) spot.spendTerms(operand.length);
  return readValues(attribute, operand, spot);
};

/** The operators of Prisma's `…ListFilter` types. Null has no members and is one of none. */
export const LIST_OPERATORS: Operators = new Map<string, OperandReader>([
  ['equals', (attribute, operand, spot) => (operand === null ? null : readMembers(attribute, operand, spot))],
  ['has', (attribute, operand, spot) => (operand === null ? null : readElement(attribute, operand, spot))],
  ['hasEvery', readMembers],
  ['hasSome', readMembers],
  ['isEmpty', (_, operand, spot) => readBoolean(operand, spot)],
]);
