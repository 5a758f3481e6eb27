import type { CrudFilter, CrudOperators, LogicalFilter } from '@refinedev/core';
import { allOf, conditionOf, fieldAt, type FilterScope } from '../admin-data/filter.js';
import { HttpError } from '../admin-data/http-error.js';
import type { Row } from '../admin-data/ids.js';

/** Returns Prisma's `where` of refine's filters. @throws HttpError with status 400 for an operator without an equivalent */
export function whereOfFilters(filters: readonly CrudFilter[] = [], scope: FilterScope): Row {
  return allOf(conditionsOf(filters, scope));
}

function conditionsOf(filters: readonly CrudFilter[], scope: FilterScope): readonly Row[] {
  return filters.flatMap((filter) => {
    if ('field' in filter) return filter.value === undefined ? [] : [logicalCondition(filter, scope)];
    const conditions = conditionsOf(filter.value, scope);
    return [filter.operator === 'and' ? { AND: conditions } : { OR: conditions }];
  });
}

/** A filter of one field, and the scope of its name. */
interface FieldFilter extends Omit<LogicalFilter, 'value'> {
  readonly value: unknown;
  readonly scope: FilterScope;
}

type Condition = (filter: FieldFilter) => Row;
type PositiveOperator = Exclude<
  CrudOperators,
  'and' | 'or' | 'ne' | 'nes' | 'nnull' | `n${'in' | 'ina' | 'between' | 'contains' | 'containss'}` | `n${'starts' | 'ends'}with${'' | 's'}`
>;

/** The conditions of refine's operators, without those that negate another one. */
const CONDITIONS: Readonly<Record<PositiveOperator, Condition>> = {
  eq: equals,
  eqs: equals,
  lt: compare('lt'),
  gt: compare('gt'),
  lte: compare('lte'),
  gte: compare('gte'),
  in: ({ field, value, scope }) => conditionOf(field, itemsOf(value), scope),
  ina: hasEvery,
  contains: text('contains', true),
  containss: text('contains', false),
  startswith: text('startsWith', true),
  startswiths: text('startsWith', false),
  endswith: text('endsWith', true),
  endswiths: text('endsWith', false),
  between: isBetween,
  null: ({ field, scope }) => conditionOf(field, null, scope),
};

const BY_NAME: ReadonlyMap<string, Condition> = new Map(Object.entries(CONDITIONS));

function logicalCondition(filter: LogicalFilter, scope: FilterScope): Row {
  const { operator } = filter;
  const condition = BY_NAME.get(operator);
  if (condition) return condition({ ...filter, scope });
  const negated = operator.startsWith('n')
    ? BY_NAME.get(operator === 'ne' || operator === 'nes' ? operator.replace('ne', 'eq') : operator.slice(1))
    : undefined;
  if (negated) return { NOT: negated({ ...filter, scope }) };
  throw new HttpError(`There is no operator '${operator}' for '${filter.field}'.`, 400);
}

function equals({ field, value, scope }: FieldFilter): Row {
  return conditionOf(field, value, scope);
}

function compare(operator: 'lt' | 'lte' | 'gt' | 'gte'): Condition {
  return ({ field, value, scope }) => conditionOf(field, { [operator]: value }, scope);
}

/** Returns the condition of an operator on texts. Without `s` at its end, it ignores the letter case where the database can. */
function text(operator: 'contains' | 'startsWith' | 'endsWith', ignoresCase: boolean): Condition {
  return ({ field, value, scope }) => {
    if (field === 'q' && fieldAt(field, scope) === undefined) return conditionOf(field, value, scope);
    const folds = ignoresCase && fieldAt(field, scope)?.caseInsensitive;
    return conditionOf(field, { [operator]: value, ...(folds && { mode: 'insensitive' }) }, scope);
  };
}

/** Returns the condition that a list, or a relation to many, has each element. */
function hasEvery({ field, operator, value, scope }: FieldFilter): Row {
  const described = fieldAt(field, scope);
  if (described?.list) return conditionOf(field, { hasEvery: itemsOf(value) }, scope);
  if (described) throw new HttpError(`The operator '${operator}' is for lists, and '${field}' is none.`, 400);
  return { AND: itemsOf(value).map((element) => conditionOf(field, [element], scope)) };
}

function isBetween({ field, operator, value, scope }: FieldFilter): Row {
  const [from, to, ...others] = itemsOf(value);
  if (from === undefined || to === undefined || others.length > 0) throw new HttpError(`The operator '${operator}' takes two values.`, 400);
  return conditionOf(field, { gte: from, lte: to }, scope);
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
