/** Prisma's words, each list once. Whoever needs one of them reads it here. */

/** The operations of a model delegate that change something. */
export const WRITING_OPERATIONS = [
  'create',
  'createMany',
  'createManyAndReturn',
  'update',
  'updateMany',
  'updateManyAndReturn',
  'upsert',
  'delete',
  'deleteMany',
] as const;

/** The operations of a model delegate that this package calls. */
export const OPERATIONS = [
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
  'findMany',
  'count',
  'aggregate',
  'groupBy',
  ...WRITING_OPERATIONS,
] as const;

export type PrismaOperation = (typeof OPERATIONS)[number];

/** What connects conditions. */
export const CONNECTIVES = ['AND', 'OR', 'NOT'] as const;

/** Conditions on the rows of a to-many relation. */
export const QUANTIFIERS = ['some', 'every', 'none'] as const;

/** Conditions on the row of a to-one relation. */
export const ONE_OPERATORS = ['is', 'isNot'] as const;

/** The aggregate functions. */
export const AGGREGATE_FUNCTIONS = ['_count', '_avg', '_sum', '_min', '_max'] as const;

/** In a count by fields: the rows, whatever is null in them. */
export const ALL_ROWS = '_all';

/** In an order: how well a search finds the row. */
export const RELEVANCE = '_relevance';

/** What decides what comes back of a row. */
export const SELECTION_WORDS = ['select', 'include', 'omit'] as const;

/** A `where` of Prisma. */
export type Where = Readonly<Record<string, unknown>>;
