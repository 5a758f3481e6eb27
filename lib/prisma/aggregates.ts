import type { ComparisonKind } from '../model/surface/comparison-kind.js';
import type { StoredField } from '../model/storage/storage.js';
import type { AggregateFunction } from '../query/condition.js';
import { AGGREGATE_FUNCTIONS } from './words.js';

/** The properties of a field that an aggregate function depends on. */
type Typed = Pick<StoredField, 'type' | 'list' | 'lacks'>;

/** An aggregate function of the data client: the fields that it accepts, and the type of its result. */
export interface AggregateDefinition {
  readonly takes: (field: Typed) => boolean;
  /** The kind of comparison that the database needs for columns that are no lists; undefined if the function accepts every column. */
  readonly needs: ComparisonKind | undefined;
  /** Returns the type that a filter on the result (`having`) compares with. */
  readonly resultType: (field: Typed) => StoredField['type'];
}

const NUMERIC: ReadonlySet<StoredField['type']> = new Set<StoredField['type']>(['Int', 'BigInt', 'Float', 'Decimal']);

/** Whether a field, or each element of it, is a number. */
export function isNumeric({ type }: Pick<Typed, 'type'>): boolean {
  return NUMERIC.has(type);
}

const ownType = ({ type }: Typed): StoredField['type'] => type;
const isOrdered = ({ type, list }: Typed): boolean => !list && type !== 'Json';

/** Prisma's aggregate functions. */
export const AGGREGATE = {
  _count: { takes: () => true, needs: undefined, resultType: () => 'Int' },
  _avg: {
    takes: isNumeric,
    needs: 'average',
    resultType: ({ type }) => (type === 'Decimal' ? 'Decimal' : 'Float'),
  },
  _sum: { takes: isNumeric, needs: 'sum', resultType: ownType },
  _min: { takes: isOrdered, needs: 'extremes', resultType: ownType },
  _max: { takes: isOrdered, needs: 'extremes', resultType: ownType },
} as const satisfies Readonly<Record<AggregateFunction, AggregateDefinition>>;

/** {@link AGGREGATE} as a map, for names from a request. */
export const AGGREGATES: ReadonlyMap<string, AggregateDefinition> = new Map<string, AggregateDefinition>(Object.entries(AGGREGATE));

/** Returns the aggregate functions that accept a field. */
export function aggregatesOf(field: Typed): readonly (readonly [AggregateFunction, AggregateDefinition])[] {
  return AGGREGATE_FUNCTIONS.map((name) => [name, AGGREGATE[name]] as const).filter(([, { takes }]) => takes(field));
}

/** Whether the database computes an aggregate of a field. Prisma also offers functions that the type of the column does not have. */
export function isComputable({ takes, needs }: AggregateDefinition, field: Typed): boolean {
  return takes(field) && (needs === undefined || (!field.list && field.lacks?.has(needs) !== true));
}
