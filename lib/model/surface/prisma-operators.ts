/** Operators of scalar and enum fields, besides `equals` and `not`. */
const COMPARISON_OPERATORS = ['in', 'notIn', 'lt', 'lte', 'gt', 'gte', 'contains', 'startsWith', 'endsWith', 'search'] as const;

/** Operators of scalar lists, besides `equals`. */
const OF_LISTS = ['has', 'hasEvery', 'hasSome', 'isEmpty'] as const;

/** Operators of Json fields, besides `equals`, `not` and the comparisons `lt`, `lte`, `gt` and `gte`. */
const OF_JSON = [
  'string_contains',
  'string_starts_with',
  'string_ends_with',
  'array_contains',
  'array_starts_with',
  'array_ends_with',
] as const;

/** The operators that the right `filter` may list, under Prisma's names. */
export const PRISMA_OPERATORS = ['equals', 'not', ...COMPARISON_OPERATORS, ...OF_LISTS, 'isSet', 'path', ...OF_JSON] as const;

export type PrismaOperator = (typeof PRISMA_OPERATORS)[number];

/** Whether Prisma parses a member of a filter as `AND`, `OR` or `NOT`: its query compiler compares these names case-insensitively. */
export function isConnectiveName(name: string): boolean {
  return name.length < 4 && CONNECTIVE.test(name);
}

const CONNECTIVE = /^(?:and|or|not)$/i;

/** Operators of scalar and enum fields. `not` is absent, because it is represented as a negation of the others. */
export type ComparisonOperator = 'equals' | (typeof COMPARISON_OPERATORS)[number];

export type ListOperator = 'equals' | (typeof OF_LISTS)[number];

export type JsonOperator = 'equals' | 'not' | 'lt' | 'lte' | 'gt' | 'gte' | (typeof OF_JSON)[number];
