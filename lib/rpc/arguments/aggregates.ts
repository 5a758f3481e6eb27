import type { Attribute } from '../../model/surface/surface.js';

/** An aggregate function of the data client: which fields it takes, and of what type its result is. */
export interface Aggregate {
  readonly takes: (attribute: Attribute) => boolean;
  /** The type that a filter on its result (`having`) compares with. */
  readonly resultType: (attribute: Attribute) => Attribute['type'];
}

const NUMERIC: ReadonlySet<Attribute['type']> = new Set<Attribute['type']>(['Int', 'BigInt', 'Float', 'Decimal']);

/** Whether a field, or each element of it, is a number. */
export function isNumeric({ type }: Attribute): boolean {
  return NUMERIC.has(type);
}

const ownType = ({ type }: Attribute): Attribute['type'] => type;
const isOrdered = ({ type, list }: Attribute): boolean => !list && type !== 'Json';

/** Prisma's aggregate functions. */
export const AGGREGATE = {
  _count: { takes: () => true, resultType: () => 'Int' },
  _avg: { takes: isNumeric, resultType: ({ type }) => (type === 'Decimal' ? 'Decimal' : 'Float') },
  _sum: { takes: isNumeric, resultType: ownType },
  _min: { takes: isOrdered, resultType: ownType },
  _max: { takes: isOrdered, resultType: ownType },
} as const satisfies Readonly<Record<string, Aggregate>>;

/** {@link AGGREGATE} for names from a request. */
export const AGGREGATES: ReadonlyMap<string, Aggregate> = new Map(Object.entries(AGGREGATE));
