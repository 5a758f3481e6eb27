/** What a scalar or enum field is compared by, beside `equals` and `not`. */
const COMPARISONS = ['in', 'notIn', 'lt', 'lte', 'gt', 'gte', 'contains', 'startsWith', 'endsWith', 'search'] as const;

/** What a list of scalars is compared by, beside `equals`. */
const OF_LISTS = ['has', 'hasEvery', 'hasSome', 'isEmpty'] as const;

/** What a Json value is compared by, beside `equals`, `not` and the comparisons of size. */
const OF_JSON = [
  'string_contains',
  'string_starts_with',
  'string_ends_with',
  'array_contains',
  'array_starts_with',
  'array_ends_with',
] as const;

/** The operators that the right to filter may name, as the data client spells them. */
export const PRISMA_OPERATORS = ['equals', 'not', ...COMPARISONS, ...OF_LISTS, 'isSet', 'path', ...OF_JSON] as const;

export type PrismaOperator = (typeof PRISMA_OPERATORS)[number];

/** Whether Prisma takes a member of a filter for a connective: its query compiler compares `AND`, `OR` and `NOT` without regard to case. */
export function isConnectiveName(name: string): boolean {
  return name.length < 4 && CONNECTIVE.test(name);
}

const CONNECTIVE = /^(?:and|or|not)$/i;

/** `not` is a negation of the others. */
export type ComparisonOperator = 'equals' | (typeof COMPARISONS)[number];

export type ListOperator = 'equals' | (typeof OF_LISTS)[number];

export type JsonOperator = 'equals' | 'not' | 'lt' | 'lte' | 'gt' | 'gte' | (typeof OF_JSON)[number];
