import { type Attribute } from '../../model/resource-model.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { type OperandReader, type Operators, planOperators, requireOperator } from './plan-operators.js';
import { readNullable, readValue, readValues } from './read-operand.js';
import { type Spot } from './spot.js';
import { readChoice } from './typed-slots.js';

/** Plans a filter on a scalar or enum field: a value stands for `equals`, an object holds operators. */
export function planScalarFilter(attribute: Attribute, value: unknown, spot: Spot): unknown {
  if (isPlainObject(value)) return planOperators({ attribute, operators: operatorsOf(attribute) }, value, spot);
  requireOperator(attribute, 'equals', spot);
  spot.spendTerms(1);
  return readNullable(attribute, value, spot);
}

/** The operators of Prisma's `…Filter` types, by the type of the field. */
export function operatorsOf({ type, nativeType }: Attribute): Operators {
  return type === 'String' && nativeType?.[0] === 'Uuid' ? UUID : OPERATORS[type];
}

/** The operand of `not`: a value, or a filter that must not hold. */
const readNot: OperandReader = (attribute, operand, spot) =>
  isPlainObject(operand)
    ? planOperators({ attribute, operators: operatorsOf(attribute) }, operand, spot)
    : readNullable(attribute, operand, spot);

const readSet: OperandReader = (attribute, operand, spot) => {
  if (operand === null && attribute.optional) return null;
  if (Array.isArray(operand)) spot.spendTerms(operand.length);
  return readValues(attribute, operand, spot);
};

/** Plain text, whatever the column's own form: part of a UUID is no UUID. */
export const readText: OperandReader = (_, operand, spot) => readPlainText(operand, spot);

/** Text that is no field's value. */
export function readPlainText(value: unknown, spot: Spot): unknown {
  return readValue(TEXT, value, spot);
}

const TEXT: Attribute = {
  kind: 'attribute',
  name: 'text',
  member: 'text',
  type: 'String',
  list: false,
  optional: false,
  hasDefault: false,
  generated: false,
  foreignKeyOf: [],
  rights: { read: true, filter: true, sort: true, create: true, update: true },
};

export const readMode: OperandReader = (_, operand, spot) => readChoice(operand, spot, ['default', 'insensitive']);

const EQUALITY = [
  ['equals', readNullable],
  ['not', readNot],
] as const;

const MEMBERSHIP = [...EQUALITY, ['in', readSet], ['notIn', readSet]] as const;

const ORDER = [...MEMBERSHIP, ['lt', readValue], ['lte', readValue], ['gt', readValue], ['gte', readValue]] as const;

const UUID: Operators = new Map<string, OperandReader>([...ORDER, ['mode', readMode]]);

const STRING: Operators = new Map<string, OperandReader>([
  ...UUID,
  ['contains', readText],
  ['startsWith', readText],
  ['endsWith', readText],
  ['search', readText],
]);

const ORDERED: Operators = new Map<string, OperandReader>(ORDER);
const UNORDERED: Operators = new Map<string, OperandReader>(MEMBERSHIP);

const OPERATORS: Readonly<Record<Attribute['type'], Operators>> = {
  String: STRING,
  Boolean: new Map<string, OperandReader>(EQUALITY),
  Int: ORDERED,
  BigInt: ORDERED,
  Float: ORDERED,
  Decimal: ORDERED,
  DateTime: ORDERED,
  Bytes: UNORDERED,
  Enum: UNORDERED,
  // Json has filters of its own: planJsonFilter.
  Json: new Map(),
};
