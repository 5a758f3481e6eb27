import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { StoredField } from '../../model/storage/storage.js';

/**
 * Returns why pages cannot begin at a value of a field (CP-24); undefined if they can. If the database compares a value in another form than it
 * returns it, pages lose or repeat rows.
 */
export function whyUnpageable(field: StoredField, provider: DatabaseProvider): string | undefined {
  const { list, type, nativeType: [native] = [] } = field;
  if (list) return 'is a list';
  if (UNORDERED.has(type)) return `has a type without order (${type})`;
  if (type === 'Enum') return 'is an enum, whose order only the database knows';
  if (native !== undefined && INEXACT.has(native)) return `is compared in another form than it is read in (@db.${native})`;
  return type === 'DateTime' || type === 'Decimal' ? whyInexact(field, provider) : undefined;
}

function whyInexact(field: StoredField, provider: DatabaseProvider): string | undefined {
  if (field.type === 'Decimal') return provider === 'sqlite' ? 'is a Decimal, which SQLite keeps as a binary number' : undefined;
  return digitsOf(field, provider) > MILLISECONDS ? 'keeps more digits than a JavaScript Date' : undefined;
}

const UNORDERED: ReadonlySet<StoredField['type']> = new Set(['Json', 'Bytes'] as const);

/** Single precision types, types with special operators, and times without a date. */
const INEXACT: ReadonlySet<string> = new Set([
  'Real',
  'Float',
  'Money',
  'SmallMoney',
  'Bit',
  'VarBit',
  'Inet',
  'Xml',
  'Citext',
  'Time',
  'Timetz',
]);

const MILLISECONDS = 3;

/** Returns the fractional digits of a second that a column stores: those of its type, or else the default of Prisma or the database. */
function digitsOf({ nativeType }: StoredField, provider: DatabaseProvider): number {
  if (!nativeType) return PRISMA_DIGITS[provider] ?? 0;
  const [native, [digits]] = nativeType;
  if (native === 'Date') return 0;
  return digits === undefined ? (DATABASE_DIGITS[provider] ?? 0) : Number(digits);
}

/** The digits of the type that Prisma uses for a `DateTime` without a native type. */
const PRISMA_DIGITS: Digits = { postgresql: 3, cockroachdb: 3, mysql: 3, sqlserver: 7 };
const DATABASE_DIGITS: Digits = { postgresql: 6, cockroachdb: 6, mysql: 0, sqlserver: 7 };

type Digits = Readonly<Partial<Record<DatabaseProvider, number>>>;
