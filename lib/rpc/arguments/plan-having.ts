import { type Attribute, type Field, type Resource } from '../../model/resource-model.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { type Aggregate, AGGREGATES, isNumeric } from './aggregates.js';
import { JSON_OPERATORS, spellOutNull } from './plan-json-filter.js';
import { planListFilter } from './plan-list-filter.js';
import { type OperandReader, type Operators, planOperators } from './plan-operators.js';
import { operatorsOf, planScalarFilter } from './plan-scalar-filter.js';
import { planConditions } from './plan-where.js';
import { requireAction } from './require-action.js';
import { type Spot } from './spot.js';

/** Plans the `having` of a `groupBy`: conditions on the fields of `by`, and on aggregates (`{ viewCount: { _avg: { gt: 5 } } }`). */
export function planHaving(resource: Resource, value: unknown, spot: Spot): Record<string, unknown> {
  requireAction(resource, 'read', spot);
  const having = planConditions(planGroupFilter, resource)(value, spot);
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

function planGroupFilter(field: Field, value: unknown, spot: Spot): unknown {
  if (field.kind === 'relationship') return spot.refuse('is a relation; groups are made of plain fields.', 'invalid-filter');
  if (field.rights.filter === false) spot.refuse('may not be used to filter.', 'invalid-filter');
  if (field.list) return planListFilter(field, value, spot);
  if (field.type === 'Json') return spellOutNull(planOperators({ attribute: field, operators: groupOperatorsOf(field) }, value, spot));
  return isPlainObject(value) ? planGroupOperators(field, value, spot) : planScalarFilter(field, value, spot);
}

const planGroupOperators: OperandReader = (attribute, value, spot) =>
  planOperators({ attribute, operators: groupOperatorsOf(attribute) }, value, spot);

const readNot: OperandReader = (attribute, operand, spot) =>
  isPlainObject(operand) ? planGroupOperators(attribute, operand, spot) : operatorsOf(attribute).get('not')?.(attribute, operand, spot);

/** The operators of Prisma's `…WithAggregatesFilter` types: those of a plain filter, and a filter per aggregate function. */
export function groupOperatorsOf(attribute: Attribute): Operators {
  const isJson = attribute.type === 'Json';
  const aggregates = [...AGGREGATES].filter(([, { takes }]) => takes(attribute));
  return new Map<string, OperandReader>([
    ...(isJson ? JSON_OPERATORS : operatorsOf(attribute)),
    ...(isJson ? [] : [['not', readNot] as const]),
    ...aggregates.map(([name, aggregate]) => [name, planResultFilter(aggregate)] as const),
  ]);
}

function planResultFilter(aggregate: Aggregate): OperandReader {
  return (attribute, operand, spot) => {
    const { nativeType, ...field } = attribute;
    // A sum outgrows the column that it is taken of.
    const narrow = nativeType && !isNumeric(attribute) ? { nativeType } : {};
    return planScalarFilter({ ...field, ...narrow, type: aggregate.resultType(attribute) }, operand, spot);
  };
}
