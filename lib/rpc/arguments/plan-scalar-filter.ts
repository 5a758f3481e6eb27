import { WITHOUT_CASE_FOLDING, WITHOUT_SEARCH } from '../../model/surface/lacking-databases.js';
import type { Attribute } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { type OperandReader, type Operator, type Operators, planOperators, requireOperator } from './plan-operators.js';
import { readNullable, readValue, readValues } from './read-operand.js';
import type { ArgumentPath } from './argument-path.js';
import { readChoice } from './typed-slots.js';

/** Plans a filter on a scalar or enum field: a value is short for `equals`, an object holds operators. */
export function planScalarFilter(attribute: Attribute, value: unknown, path: ArgumentPath): unknown {
  if (isPlainObject(value)) return planOperators({ attribute, operators: operatorsOf(attribute) }, value, path);
  requireOperator(attribute, 'equals', path);
  path.spendTerms(1);
  return readNullable(attribute, value, path);
}

/** The operators of Prisma's `…Filter` types, by the type of the field. */
export function operatorsOf({ type, nativeType }: Attribute): Operators {
  return type === 'String' && nativeType?.[0] === 'Uuid' ? UUID : OPERATORS[type];
}

/** The operand of `not`: a value, or a filter that must not hold. */
const readNot: OperandReader = (attribute, operand, path) => {
  if (!isPlainObject(operand)) return readNullable(attribute, operand, path);
  return withoutMode(planOperators({ attribute, operators: operatorsOf(attribute) }, operand, path), path);
};

/** Within another filter, Prisma takes no `mode`: that of the outer one is for both. */
export function withoutMode<Filter>(filter: Filter, path: ArgumentPath): Filter {
  const isRefused = isPlainObject(filter) && filter['mode'] !== undefined && path.database.orm === 'prisma';
  if (isRefused) path.member('mode').refuse('stands beside the outer operators: it is for those within, too.', 'invalid-filter');
  return filter;
}

const readSet: OperandReader = (attribute, operand, path) => {
  if (operand === null && attribute.optional) return null;
  if (Array.isArray(operand)) path.spendTerms(operand.length);
  return readValues(attribute, operand, path);
};

/** Plain text, whatever the column's own form: part of a UUID is no UUID. */
export const readText: OperandReader = (_, operand, path) => readPlainText(operand, path);

export const TEXT_OPERAND: Operator = { read: readText, takes: 'text' };

/** Text that is no field's value. */
export function readPlainText(value: unknown, path: ArgumentPath): unknown {
  return readValue(TEXT, value, path);
}

const TEXT: Attribute = {
  kind: 'attribute',
  model: '',
  name: 'text',
  member: 'text',
  type: 'String',
  list: false,
  primaryKey: 'no',
  optional: false,
  hasDefault: false,
  generated: false,
  foreignKeyOf: [],
  rights: { read: true, filter: true, sort: true, create: true, update: true },
  closed: {},
};

/** The values of `mode`. */
export const MODES = ['default', 'insensitive'] as const;

export const MODE_OPERAND: Operator = { read: (_, operand, path) => readChoice(operand, path, MODES), takes: 'mode' };

const TEXT_MODE_OPERAND: Operator = { ...MODE_OPERAND, lackedBy: WITHOUT_CASE_FOLDING };
const SEARCH_OPERAND: Operator = { ...TEXT_OPERAND, lackedBy: WITHOUT_SEARCH };

const SET_OPERAND: Operator = { read: readSet, takes: 'values' };
const VALUE_OPERAND: Operator = { read: readValue, takes: 'value' };

const EQUALITY: readonly OperatorRow[] = [
  ['equals', { read: readNullable, takes: 'nullable' }],
  ['not', { read: readNot, takes: 'filter' }],
];

const MEMBERSHIP: readonly OperatorRow[] = [...EQUALITY, ['in', SET_OPERAND], ['notIn', SET_OPERAND]];

const ORDER: readonly OperatorRow[] = [
  ...MEMBERSHIP,
  ['lt', VALUE_OPERAND],
  ['lte', VALUE_OPERAND],
  ['gt', VALUE_OPERAND],
  ['gte', VALUE_OPERAND],
];

const UUID: Operators = new Map([...ORDER, ['mode', TEXT_MODE_OPERAND]]);

const STRING: Operators = new Map([
  ...UUID,
  ['contains', TEXT_OPERAND],
  ['startsWith', TEXT_OPERAND],
  ['endsWith', TEXT_OPERAND],
  ['search', SEARCH_OPERAND],
]);

const ORDERED: Operators = new Map(ORDER);
const UNORDERED: Operators = new Map(MEMBERSHIP);

type OperatorRow = readonly [name: string, operator: Operator];

const OPERATORS: Readonly<Record<Attribute['type'], Operators>> = {
  String: STRING,
  Boolean: new Map(EQUALITY),
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
