import type { DatabaseProvider } from '../schema/resource-schema.js';
import type { Attribute } from './surface.js';
import type { ComparisonKind } from './comparison-kind.js';

type Lacks = ReadonlyMap<string, ReadonlySet<ComparisonKind>>;

/** The missing comparisons of PostgreSQL, by native type. */
const POSTGRESQL: Lacks = new Map<string, ReadonlySet<ComparisonKind>>([
  ['Json', new Set(['equality', 'order', 'extremes'])],
  ['Xml', new Set(['equality', 'order', 'folding', 'extremes'])],
  ['Inet', new Set(['folding'])],
  ['Bit', new Set(['folding', 'extremes'])],
  ['VarBit', new Set(['folding', 'extremes'])],
  ['Uuid', new Set(['text', 'folding', 'extremes'])],
  ['Money', new Set(['average'])],
  ['Oid', new Set(['sum', 'average'])],
]);

const SQL_SERVER: Lacks = new Map<string, ReadonlySet<ComparisonKind>>([['UniqueIdentifier', new Set(['text'])]]);

/** The missing comparisons by Prisma type, which apply without a native type as well. */
const POSTGRESQL_TYPES: Lacks = new Map<string, ReadonlySet<ComparisonKind>>([
  ['Boolean', new Set(['extremes'])],
  ['Bytes', new Set(['extremes'])],
]);

const NONE: Lacks = new Map();

const BY_PROVIDER: Readonly<Partial<Record<DatabaseProvider, readonly [native: Lacks, types: Lacks]>>> = {
  postgresql: [POSTGRESQL, POSTGRESQL_TYPES],
  cockroachdb: [new Map([...POSTGRESQL].filter(([name]) => name === 'Uuid')), NONE],
  sqlserver: [SQL_SERVER, NONE],
};

/** Returns the comparisons that the database lacks for a column type; undefined where it has all. */
export function missingComparisons(
  { type, nativeType }: Pick<Attribute, 'type' | 'nativeType'>,
  provider: DatabaseProvider,
): ReadonlySet<ComparisonKind> | undefined {
  const [native, types] = BY_PROVIDER[provider] ?? [NONE, NONE];
  return native.get(nativeType?.[0] ?? '') ?? types.get(type);
}

/** Returns the type of a field in the notation of the Prisma schema, e.g. `Json @db.Json`. */
export function describeType({ type, nativeType, list }: Pick<Attribute, 'type' | 'nativeType' | 'list'>): string {
  return `${type}${list ? '[]' : ''}${nativeType ? ` @db.${nativeType[0]}` : ''}`;
}
