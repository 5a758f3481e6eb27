import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { StoredField } from '../../model/storage/storage.js';
import type { PrismaOperator } from '../../model/surface/prisma-operators.js';
import { ANY_NULL } from '../../model/values/json-value.js';
import { and, type Comparison, compare, type Condition, type JsonComparison, type ListComparison, not, or } from '../../query/condition.js';
import { escapeWildcards } from '../../prisma/escape-wildcards.js';
import type { AttributeFilter } from '../parse/filter.js';
import { type FilterOperator, isTextMatch } from '../parse/filter-operators.js';

/** The condition of one comparison. Several values are alternatives, except where the operator takes them together. */
export function planAttributeFilter({ operator, values }: AttributeFilter, field: StoredField, provider: DatabaseProvider): Condition {
  const isText = isTextMatch(operator);
  const operands = values.map((value) => {
    if (value === null) return nullOf(field);
    return isText && typeof value === 'string' ? escapeWildcards(value, provider) : value;
  });
  const comparison = planOperator(field, operator, operands);
  if (operator.negated !== true) return comparison;
  // In SQL a null is neither equal nor unequal, and would be missing from both a filter and its negation.
  return field.optional ? or(not(comparison), compareWith(field, 'equals', nullOf(field))) : not(comparison);
}

/** A Json field has two nulls, the column's and JSON's, which look the same in a response. */
function nullOf({ type }: StoredField): unknown {
  return type === 'Json' ? ANY_NULL : null;
}

function planOperator(field: StoredField, { operand, prisma, insensitive }: FilterOperator, values: readonly unknown[]): Condition {
  const [first = 'equals', second = 'equals'] = prisma;
  switch (operand) {
    case 'any':
      return or(...values.map((value) => ({ ...compareWith(field, first, value), ...(insensitive && { isInsensitive: true }) })));
    case 'list':
      return planList(field, first, values);
    case 'range':
      return and(compareWith(field, first, values[0]), compareWith(field, second, values[1]));
    case 'flag':
      return compareWith(field, first, values[0]);
    case 'null':
      return compareWith(field, values[0] === true ? 'equals' : 'not', nullOf(field));
  }
}

/** Prisma has no `in` for Boolean and Json. */
function planList(field: StoredField, operator: PrismaOperator, values: readonly unknown[]): Condition {
  const isApart = operator === 'in' && (field.type === 'Boolean' || field.type === 'Json');
  return isApart ? or(...values.map((value) => compareWith(field, 'equals', value))) : compareWith(field, operator, values);
}

/** Which operators go with which fields is said by their table, and checked by the parser: no other one comes here. */
function compareWith(field: StoredField, operator: PrismaOperator, operand: unknown): Comparison | ListComparison | JsonComparison {
  if (field.list) return Object.freeze({ kind: 'list', field, operator: operator as ListComparison['operator'], operand });
  if (field.type === 'Json')
    return Object.freeze({ kind: 'json', field, operator: operator as JsonComparison['operator'], operand, isInsensitive: false });
  if (operator === 'not') return Object.freeze({ ...compare(field, 'equals', operand), isNegated: true });
  return compare(field, operator as Comparison['operator'], operand);
}
