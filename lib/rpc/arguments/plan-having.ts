import type { Attribute, Field, Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { type Aggregate, AGGREGATES, isNumeric } from './aggregates.js';
import { JSON_OPERATORS, spellOutNull } from './plan-json-filter.js';
import { planGroupListFilter } from './plan-list-filter.js';
import { type OperandReader, type Operator, type Operators, planOperators } from './plan-operators.js';
import { operatorsOf, planScalarFilter, withoutMode } from './plan-scalar-filter.js';
import { planConditions } from './plan-where.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { readObject } from './typed-slots.js';

/** Plans the `having` of a `groupBy`: conditions on the fields of `by`, and on aggregates (`{ viewCount: { _avg: { gt: 5 } } }`). */
export function planHaving(resource: Resource, value: unknown, path: ArgumentPath): Record<string, unknown> {
  requireAction(resource, 'read', path);
  const having = planConditions(planGroupFilter, resource)(value, path);
  const isEmpty = Object.entries(having).every(([name, filter]) => {
    const field = resource.fields.get(name);
    return field?.kind === 'attribute' && isVoid(filter, field.type === 'Json');
  });
  return isEmpty ? NO_CONDITION : having;
}

/** Every group; Prisma's engine panics at a `having` of nothing but filters without a comparison. */
const NO_CONDITION = Object.freeze({ AND: Object.freeze([]) });

/**
 * Whether a filter holds no comparison: `{}`, `{ not: {} }`, `{ mode: 'insensitive' }`.
 *
 * @param isJson whether an object behind `not` is a value
 */
function isVoid(filter: unknown, isJson = false): boolean {
  if (!isPlainObject(filter)) return false;
  return Object.entries(filter).every(([key, operand]) => {
    if (key === 'mode') return true;
    return (AGGREGATES.has(key) || (key === 'not' && !isJson)) && isVoid(operand);
  });
}

function planGroupFilter(field: Field, value: unknown, path: ArgumentPath): unknown {
  if (field.kind === 'relationship') return path.refuse('is a relation; groups are made of plain fields.', 'invalid-filter');
  if (field.rights.filter === false) path.refuse('may not be used to filter.', 'invalid-filter');
  if (field.list) return planGroupListFilter(field, value, path);
  if (field.type === 'Json') return spellOutNull(planOperators({ attribute: field, operators: groupOperatorsOf(field) }, value, path));
  return isPlainObject(value) ? planGroupOperators(field, value, path) : planScalarFilter(field, value, path);
}

const planGroupOperators: OperandReader = (attribute, value, path) =>
  planOperators({ attribute, operators: groupOperatorsOf(attribute) }, value, path);

const readNot: OperandReader = (attribute, operand, path) => {
  if (!isPlainObject(operand)) return operatorsOf(attribute).get('not')?.read(attribute, operand, path);
  return withoutMode(planGroupOperators(attribute, operand, path), path);
};

/** The operators of Prisma's `…WithAggregatesFilter` types: those of a plain filter, and a filter per aggregate function. */
export function groupOperatorsOf(attribute: Attribute): Operators {
  const isJson = attribute.type === 'Json';
  const aggregates = [...AGGREGATES].filter(([, { takes }]) => takes(attribute));
  return new Map<string, Operator>([
    ...(isJson ? JSON_OPERATORS : operatorsOf(attribute)),
    ...(isJson ? [] : [['not', { read: readNot, takes: 'filter' }] as const]),
    ...aggregates.map(([name, aggregate]) => [name, { read: planResultFilter(aggregate), takes: 'result' }] as const),
  ]);
}

function planResultFilter(aggregate: Aggregate): OperandReader {
  return (attribute, operand, path) => {
    // Unlike in `where`, a plain value is not short for `equals`.
    readObject(operand, path);
    const { nativeType, ...field } = attribute;
    // A sum outgrows the column that it is taken of.
    const narrow = nativeType && !isNumeric(attribute) ? { nativeType } : {};
    return withoutMode(planScalarFilter({ ...field, ...narrow, type: aggregate.resultType(attribute) }, operand, path), path);
  };
}
