import { ANY_NULL } from '../../model/values/json-value.js';
import type { Attribute } from '../../model/surface/surface.js';
import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { AttributeFilter } from '../parse/filter.js';
import { type FilterOperator, isTextMatch } from '../parse/filter-operators.js';
import { escapeWildcards } from './escape-wildcards.js';
import { anyOf, not, type Where } from './where.js';

/** The `where` of one comparison. Several values are alternatives, except where the operator takes them together. */
export function planAttributeFilter({ attribute, operator, values }: AttributeFilter, provider: DatabaseProvider): Where {
  const { name } = attribute;
  const operands = values.map((value) => planValue(value, { attribute, operator, provider }));
  const comparison = anyOf(compare(attribute, operator, operands).map((one) => ({ [name]: one })));
  if (operator.negated !== true) return comparison;
  // In SQL a null is neither equal nor unequal, and would be missing from both a filter and its negation.
  return attribute.optional ? anyOf([not(comparison), { [name]: { equals: nullOf(attribute) } }]) : not(comparison);
}

interface Comparison {
  readonly attribute: Attribute;
  readonly operator: FilterOperator;
  readonly provider: DatabaseProvider;
}

function planValue(value: unknown, { attribute, operator, provider }: Comparison): unknown {
  if (value === null) return nullOf(attribute);
  return isTextMatch(operator) && typeof value === 'string' ? escapeWildcards(value, provider) : value;
}

/** A Json field has two nulls, the column's and JSON's, which look the same in a response. */
function nullOf({ type }: Attribute): unknown {
  return type === 'Json' ? ANY_NULL : null;
}

/** Conditions of one field, of which any must hold. */
function compare(attribute: Attribute, { operand, prisma, insensitive }: FilterOperator, values: readonly unknown[]): readonly Where[] {
  const [first = 'equals', second = 'equals'] = prisma;
  const mode = insensitive && { mode: 'insensitive' };
  switch (operand) {
    case 'any':
      return values.map((value) => ({ [first]: value, ...mode }));
    case 'list':
      return alternatives(attribute, first, values);
    case 'range':
      return [{ [first]: values[0], [second]: values[1] }];
    case 'flag':
      return [{ [first]: values[0] }];
    case 'null':
      return [values[0] === true ? { equals: nullOf(attribute) } : { not: nullOf(attribute) }];
  }
}

/** Prisma has no `in` for Boolean and Json. */
function alternatives({ type }: Attribute, operator: string, values: readonly unknown[]): readonly Where[] {
  if (operator === 'in' && (type === 'Boolean' || type === 'Json')) return values.map((value) => ({ equals: value }));
  return [{ [operator]: values }];
}
