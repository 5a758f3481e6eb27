/** The identifiers of Prisma's arguments and operations. All other modules import them from here. */

/** The operations of a model delegate that write. */
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
export const DELEGATE_OPERATIONS = [
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

export type PrismaOperation = (typeof DELEGATE_OPERATIONS)[number];

/** The connectives of conditions. */
export const CONNECTIVES = ['AND', 'OR', 'NOT'] as const;

/** The operators on the rows of a to-many relation. */
export const QUANTIFIERS = ['some', 'every', 'none'] as const;

/** The operators on the row of a to-one relation. */
export const ONE_OPERATORS = ['is', 'isNot'] as const;

/** The aggregate functions. */
export const AGGREGATE_FUNCTIONS = ['_count', '_avg', '_sum', '_min', '_max'] as const;

/** The member of a count by fields that counts all rows, including those with nulls. */
export const ALL_ROWS = '_all';

/** The member of an order that sorts by the relevance of a full-text search. */
export const RELEVANCE = '_relevance';

/** The arguments that select the members of returned rows. */
export const SELECTION_WORDS = ['select', 'include', 'omit'] as const;

/** A Prisma `where`. */
export type Where = Readonly<Record<string, unknown>>;
