import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import { WITHOUT_CASE_FOLDING, WITHOUT_SEARCH } from '../../model/surface/lacking-databases.js';
import type { ComparisonOperator, ListOperator } from '../../model/surface/prisma-operators.js';
import type { Attribute } from '../../model/surface/surface.js';
import type { ComparisonKind } from '../../model/surface/comparison-kind.js';

/** One operator of the `filter` family: `filter[<field>$<name>]=<operand>`. */
export type FilterOperator = ScalarFilterOperator | ListFilterOperator;

interface AnyFilterOperator {
  /** Name without the `$`; empty for the meaning of a filter without an operator. */
  readonly name: string;
  /** Completes the sentence "the field …", for the docs. */
  readonly meaning: string;
  /** Present if the operator matches exactly the rows that `prisma` does not match, including rows whose field is NULL. */
  readonly negated?: true;
  /** Present if the comparison ignores case. */
  readonly insensitive?: true;
  /** The databases that do not support the operator. */
  readonly lackedBy: ReadonlySet<DatabaseProvider>;
}

export interface ScalarFilterOperator extends AnyFilterOperator {
  /** The fields that it applies to: all but lists · those of an ordered type · strings · those that may be null. */
  readonly on: 'single' | 'ordered' | 'text' | 'optional';
  /** The operators of Prisma's `where` that it uses. The filter right of the field must allow each of them. */
  readonly prisma: readonly [ComparisonOperator, ...ComparisonOperator[]];
  /**
   * How the operand's text is parsed. `any`: comma-separated values, one of which must match · `list`: comma-separated values, passed as
   * one list · `range`: two values · `null`: `true` or `false`.
   */
  readonly operand: 'any' | 'list' | 'range' | 'null';
}

export interface ListFilterOperator extends AnyFilterOperator {
  readonly on: 'list';
  readonly prisma: readonly [ListOperator];
  /** As for scalars; `flag`: `true` or `false`. */
  readonly operand: 'any' | 'list' | 'flag';
}

const EVERYWHERE: ReadonlySet<DatabaseProvider> = new Set();
const WITHOUT_LISTS: ReadonlySet<DatabaseProvider> = new Set(['sqlite', 'mysql', 'sqlserver']);

const ON_SINGLE = { on: 'single', operand: 'any', lackedBy: EVERYWHERE } as const;
const ON_ORDERED = { ...ON_SINGLE, on: 'ordered' } as const;
const ON_TEXT = { ...ON_SINGLE, on: 'text' } as const;
const ON_TEXT_IN_ANY_CASE = { ...ON_TEXT, insensitive: true, lackedBy: WITHOUT_CASE_FOLDING } as const;
const ON_LIST = { on: 'list', operand: 'list', lackedBy: WITHOUT_LISTS } as const;

/** The meaning of a filter without an operator. With several values, it is {@link IN}. */
export const EQUALS: ScalarFilterOperator = { ...ON_SINGLE, name: '', prisma: ['equals'], meaning: 'equals the value' };

/** The meaning of a filter without an operator on a list. */
export const LIST_EQUALS: FilterOperator = { ...ON_LIST, name: '', prisma: ['equals'], meaning: 'equals the list' };

/** `$in`, which is also the meaning of several values without an operator. */
export const IN: ScalarFilterOperator = { ...ON_SINGLE, name: 'in', prisma: ['in'], operand: 'list', meaning: 'equals one of the values' };

/** `$notIn`, which is also the meaning of several values with `$ne`. */
export const NOT_IN: ScalarFilterOperator = { ...IN, name: 'notIn', negated: true, meaning: 'equals none of the values' };

/** `$ne` on a field that is not a list. */
export const NOT_EQUALS: FilterOperator = { ...EQUALS, name: 'ne', negated: true, meaning: 'does not equal the value' };

const ROWS: readonly FilterOperator[] = [
  { ...ON_ORDERED, name: 'lt', prisma: ['lt'], meaning: 'is less than the value' },
  { ...ON_ORDERED, name: 'lte', prisma: ['lte'], meaning: 'is less than or equal to the value' },
  { ...ON_ORDERED, name: 'gt', prisma: ['gt'], meaning: 'is greater than the value' },
  { ...ON_ORDERED, name: 'gte', prisma: ['gte'], meaning: 'is greater than or equal to the value' },
  { ...ON_TEXT, name: 'contains', prisma: ['contains'], meaning: 'contains the text' },
  { ...ON_TEXT_IN_ANY_CASE, name: 'icontains', prisma: ['contains'], meaning: 'contains the text in any case' },
  { ...ON_TEXT, name: 'search', prisma: ['search'], lackedBy: WITHOUT_SEARCH, meaning: 'is found by the full-text query' },
  { ...ON_TEXT, name: 'startsWith', prisma: ['startsWith'], meaning: 'starts with the text' },
  { ...ON_TEXT, name: 'endsWith', prisma: ['endsWith'], meaning: 'ends with the text' },
  { ...ON_LIST, name: 'has', prisma: ['has'], operand: 'any', meaning: 'has the value' },
  { ...ON_LIST, name: 'hasEvery', prisma: ['hasEvery'], meaning: 'has every one of the values' },
  { ...ON_LIST, name: 'hasSome', prisma: ['hasSome'], meaning: 'has some of the values' },
  { ...ON_LIST, name: 'isEmpty', prisma: ['isEmpty'], operand: 'flag', meaning: 'is empty' },
  NOT_EQUALS,
  IN,
  NOT_IN,
  { ...ON_SINGLE, name: 'null', on: 'optional', prisma: ['equals'], operand: 'null', meaning: 'is null' },
  { ...ON_ORDERED, name: 'between', prisma: ['gte', 'lte'], operand: 'range', meaning: 'lies between the two values or equals one' },
  { ...ON_TEXT, name: 'notContains', prisma: ['contains'], negated: true, meaning: 'does not contain the text' },
  { ...ON_TEXT_IN_ANY_CASE, name: 'notIcontains', prisma: ['contains'], negated: true, meaning: 'does not contain the text in any case' },
  { ...ON_TEXT, name: 'notStartsWith', prisma: ['startsWith'], negated: true, meaning: 'does not start with the text' },
  { ...ON_TEXT, name: 'notEndsWith', prisma: ['endsWith'], negated: true, meaning: 'does not end with the text' },
];

/** The operators by name, those of the specification (section 4.1.1) first. The parser, the planner and OpenAPI read this table. */
export const FILTER_OPERATORS: ReadonlyMap<string, FilterOperator> = new Map(ROWS.map((operator) => [operator.name, operator]));

/** Whether an operator matches a part of a text, in which `%` and `_` are literal characters. */
export function isTextMatch({ on, prisma }: FilterOperator): boolean {
  return on === 'text' && prisma[0] !== 'search';
}

/** Whether an operator applies to the type of a field. The field's rights are not checked. */
export function suits(operator: FilterOperator, attribute: Attribute): boolean {
  const { on } = operator;
  return attribute.list === (on === 'list') && FIELD_CLASSES[on](attribute) && hasComparison(attribute, needOf(operator));
}

function hasComparison({ lacks }: Attribute, need: Need): boolean {
  return need === 'nothing' || lacks?.has(need) !== true;
}

type Need = ComparisonKind | 'nothing';

/** Returns the kind of comparison that the field's database type must support. */
function needOf({ on, insensitive, prisma }: FilterOperator): Need {
  return insensitive || prisma[0] === 'search' ? 'folding' : COMPARISON_OF_CLASS[on];
}

const COMPARISON_OF_CLASS: Readonly<Record<FilterOperator['on'], Need>> = {
  single: 'equality',
  ordered: 'order',
  text: 'text',
  list: 'equality',
  optional: 'nothing',
};

const ORDERED_TYPES: ReadonlySet<Attribute['type']> = new Set(['String', 'Int', 'BigInt', 'Float', 'Decimal', 'DateTime']);

const FIELD_CLASSES: Readonly<Record<FilterOperator['on'], (attribute: Attribute) => boolean>> = {
  single: () => true,
  ordered: ({ type }) => ORDERED_TYPES.has(type),
  text: ({ type }) => type === 'String',
  list: () => true,
  // A required Json column can hold JSON's `null`, so `$null` applies to it too.
  optional: ({ type, optional }) => optional || type === 'Json',
};
