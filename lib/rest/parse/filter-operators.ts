import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import { WITHOUT_CASE_FOLDING, WITHOUT_SEARCH } from '../../model/surface/lacking-databases.js';
import type { ComparisonOperator, ListOperator } from '../../model/surface/prisma-operators.js';
import type { Attribute } from '../../model/surface/surface.js';
import type { ComparisonKind } from '../../model/surface/comparison-kind.js';

/** One operator of the `filter` family: `filter[<field>$<name>]=<operand>`. */
export type FilterOperator = ScalarFilterOperator | ListFilterOperator;

interface AnyFilterOperator {
  /** Without the `$`; empty for what a filter without an operator means. */
  readonly name: string;
  /** Completes the sentence "the field …", for docs. */
  readonly meaning: string;
  /** Keeps exactly the rows that `prisma` does not keep, those without a value among them. */
  readonly negated?: true;
  /** The case of letters plays no part. */
  readonly insensitive?: true;
  /** The databases that cannot do it. */
  readonly lackedBy: ReadonlySet<DatabaseProvider>;
}

export interface ScalarFilterOperator extends AnyFilterOperator {
  /** The fields that it goes with: any but lists · whose values have an order · strings · that may be null. */
  readonly on: 'single' | 'ordered' | 'text' | 'optional';
  /** What the data client's `where` has for it; each must be open on the field. */
  readonly prisma: readonly [ComparisonOperator, ...ComparisonOperator[]];
  /**
   * How the text of a value is read. `any`: values separated by commas, one of which must match · `list`: the same, taken together ·
   * `range`: two values · `null`: `true` or `false`.
   */
  readonly operand: 'any' | 'list' | 'range' | 'null';
}

export interface ListFilterOperator extends AnyFilterOperator {
  readonly on: 'list';
  readonly prisma: readonly [ListOperator];
  /** As of scalars; `flag`: `true` or `false`. */
  readonly operand: 'any' | 'list' | 'flag';
}

const EVERYWHERE: ReadonlySet<DatabaseProvider> = new Set();
const WITHOUT_LISTS: ReadonlySet<DatabaseProvider> = new Set(['sqlite', 'mysql', 'sqlserver']);

const ON_SINGLE = { on: 'single', operand: 'any', lackedBy: EVERYWHERE } as const;
const ON_ORDERED = { ...ON_SINGLE, on: 'ordered' } as const;
const ON_TEXT = { ...ON_SINGLE, on: 'text' } as const;
const ON_TEXT_IN_ANY_CASE = { ...ON_TEXT, insensitive: true, lackedBy: WITHOUT_CASE_FOLDING } as const;
const ON_LIST = { on: 'list', operand: 'list', lackedBy: WITHOUT_LISTS } as const;

/** What a filter without an operator means; to several values it is {@link IN}. */
export const EQUALS: ScalarFilterOperator = { ...ON_SINGLE, name: '', prisma: ['equals'], meaning: 'equals the value' };

/** What a filter without an operator means on a list. */
export const LIST_EQUALS: FilterOperator = { ...ON_LIST, name: '', prisma: ['equals'], meaning: 'equals the list' };

/** `$in`, and what commas mean without an operator. */
export const IN: ScalarFilterOperator = { ...ON_SINGLE, name: 'in', prisma: ['in'], operand: 'list', meaning: 'equals one of the values' };

/** `$notIn`, and what commas mean with `$ne`. */
export const NOT_IN: ScalarFilterOperator = { ...IN, name: 'notIn', negated: true, meaning: 'equals none of the values' };

/** `$ne` on a single field. */
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

/** The operators by name, those of the specification (section 4.1.1) first. Parser, planner, OpenAPI and docs read this table. */
export const FILTER_OPERATORS: ReadonlyMap<string, FilterOperator> = new Map(ROWS.map((operator) => [operator.name, operator]));

/** Whether an operator searches for a piece of text, in which `%` and `_` are ordinary characters. */
export function isTextMatch({ on, prisma }: FilterOperator): boolean {
  return on === 'text' && prisma[0] !== 'search';
}

/** Whether an operator goes with a field; whether it is open there is another question. */
export function suits(operator: FilterOperator, attribute: Attribute): boolean {
  const { on } = operator;
  return attribute.list === (on === 'list') && FIELD_CLASSES[on](attribute) && hasComparison(attribute, needOf(operator));
}

function hasComparison({ lacks }: Attribute, need: Need): boolean {
  return need === 'nothing' || lacks?.has(need) !== true;
}

type Need = ComparisonKind | 'nothing';

/** Names what the database needs for an operator. */
function needOf({ on, insensitive, prisma }: FilterOperator): Need {
  return insensitive || prisma[0] === 'search' ? 'folding' : NEEDS[on];
}

const NEEDS: Readonly<Record<FilterOperator['on'], Need>> = {
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
  // JSON has a null of its own, in a column that is never NULL as well.
  optional: ({ type, optional }) => optional || type === 'Json',
};
