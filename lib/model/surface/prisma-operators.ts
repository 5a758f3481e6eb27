/** The operators that the right to filter may name, as the data client spells them. */
export const PRISMA_OPERATORS = [
  'equals',
  'not',
  'in',
  'notIn',
  'lt',
  'lte',
  'gt',
  'gte',
  'contains',
  'startsWith',
  'endsWith',
  'search',
  'has',
  'hasEvery',
  'hasSome',
  'isEmpty',
  'isSet',
  'path',
  'string_contains',
  'string_starts_with',
  'string_ends_with',
  'array_contains',
  'array_starts_with',
  'array_ends_with',
] as const;

export type PrismaOperator = (typeof PRISMA_OPERATORS)[number];
