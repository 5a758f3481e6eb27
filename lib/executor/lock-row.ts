import { memberOf } from '../errors/member-of.js';
import type { Storage, StoredField, StoredModel } from '../model/storage/storage.js';
import { fieldNamed } from '../query/fields.js';
import type { UniqueCondition } from '../query/condition.js';

/** An SQL statement, and its values in order. */
export interface LockStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The database in which a row is locked. */
export interface LockingDatabase {
  readonly provider: Storage['provider'];
  /** The schema of tables without `@@schema`. If undefined, the search path applies. */
  readonly schema?: string | undefined;
}

interface Dialect {
  readonly quote: string;
  /** Returns the comparison of a column with the value at an index; undefined for a type that it cannot compare. */
  readonly isEqual: (column: string, index: number, field: StoredField, schema?: string) => string | undefined;
}

const POSTGRESQL: Dialect = {
  quote: '"',
  isEqual: (column, index, field, schema) => {
    const cast = castOf(field, schema);
    return cast && `${column} = ${cast(`$${index + 1}`, field.nativeType?.[1] ?? [])}`;
  },
};

const MYSQL: Dialect = { quote: '`', isEqual: (column, _, { type }) => (PLAIN.has(type) ? `${column} = ?` : undefined) };

/** The SQL dialects of the databases that can lock a row until the transaction ends. */
const DIALECTS: Readonly<Partial<Record<Storage['provider'], Dialect>>> = {
  postgresql: POSTGRESQL,
  cockroachdb: POSTGRESQL,
  mysql: MYSQL,
};

/**
 * Compiles the statement that locks the row of a key until its transaction ends.
 *
 * @returns undefined if the database has no row locks, or if each driver encodes the type of the key differently
 */
export function lockRow({ keys: [first] }: UniqueCondition, { provider, schema }: LockingDatabase): LockStatement | undefined {
  const dialect = DIALECTS[provider];
  if (!dialect) return undefined;
  const { model, key, values } = first;
  const fields = key.fields.map((name) => fieldNamed(model, name));
  const conditions = fields.map((field, index) => dialect.isEqual(quoted(field.column, dialect), index, field, schema));
  if (conditions.includes(undefined)) return undefined;
  const text = `SELECT 1 FROM ${tableOf(model, dialect, schema)} WHERE ${conditions.join(' AND ')} FOR UPDATE`;
  return { text, values: fields.map((field, index) => sentValue(field, values[index])) };
}

/** Returns the schema of tables without `@@schema` for a Prisma client with a driver adapter. Returns undefined for any other client. */
export function schemaOfClient(client: object): string | undefined {
  const adapter = ['_engineConfig', 'adapter'].reduce<unknown>(memberOf, client);
  if (typeof adapter !== 'object' || adapter === null) return undefined;
  const schema = ['options', 'schema'].reduce<unknown>(memberOf, adapter);
  return typeof schema === 'string' ? schema : 'public';
}

const PLAIN: ReadonlySet<StoredField['type']> = new Set(['String', 'Int', 'BigInt']);

type Cast = (parameter: string, args: readonly string[]) => string;

const uncast: Cast = (parameter) => parameter;
const to =
  (type: string): Cast =>
  (parameter) =>
    `${parameter}::${type}`;
const toBytes: Cast = (parameter) => `decode(${parameter}::text, 'base64')`;
/** Casts to `timetz`, without the date: PostgreSQL cannot parse a `timetz` from a text with a date. */
const toTimetz: Cast = (parameter) => `substr(${parameter}::text, 12)::timetz`;
/** Casts to a bit string with its length, because `bit` alone is `bit(1)`. */
const toBits =
  (type: string): Cast =>
  (parameter, args) =>
    `${parameter}::text::${type}${args.length > 0 ? `(${args.join(', ')})` : ''}`;

/** The casts of parameters, by the native type of the column, or `''` if the schema declares none. `Xml` and `Json` have no equality. */
const CASTS: Readonly<Partial<Record<StoredField['type'], Readonly<Record<string, Cast>>>>> = {
  String: {
    '': uncast,
    'Text': uncast,
    'VarChar': uncast,
    'Char': uncast,
    'Citext': uncast,
    'Uuid': to('uuid'),
    'Inet': to('text::inet'),
    'Bit': toBits('bit'),
    'VarBit': toBits('varbit'),
  },
  Int: { '': to('integer'), 'Integer': to('integer'), 'SmallInt': to('integer'), 'Oid': to('bigint::oid') },
  BigInt: { '': to('bigint'), 'BigInt': to('bigint') },
  Boolean: { '': to('text::boolean'), 'Boolean': to('text::boolean') },
  Float: { '': to('text::double precision'), 'DoublePrecision': to('text::double precision'), 'Real': to('text::real') },
  Decimal: { '': to('text::numeric'), 'Decimal': to('text::numeric'), 'Money': to('text::numeric::money') },
  DateTime: {
    '': to('text::timestamp'),
    'Timestamp': to('text::timestamp'),
    'Timestamptz': to('text::timestamptz'),
    'Date': to('text::date'),
    'Time': to('text::timestamp::time'),
    'Timetz': toTimetz,
  },
  Bytes: { '': toBytes, 'ByteA': toBytes },
};

/** Casts a parameter to the type of a column, so that an index of the column applies. */
function castOf({ type, nativeType, enumType }: StoredField, schema: string | undefined): Cast | undefined {
  if (enumType) return to(`text::${qualified(enumType.schema ?? schema, enumType.name, POSTGRESQL)}`);
  return CASTS[type]?.[nativeType?.[0] ?? ''];
}

/** Returns a value in the format that the statement sends. For an enum this is the name in the database (`@map`). */
function sentValue({ type, enumType }: StoredField, value: unknown): unknown {
  if (type === 'Enum') return enumType?.values.get(String(value)) ?? value;
  if (PLAIN.has(type)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value instanceof Date ? value.toISOString() : String(value);
}

function tableOf({ schema: own, table }: StoredModel, dialect: Dialect, schema: string | undefined): string {
  return qualified(own ?? (dialect === POSTGRESQL ? schema : undefined), table, dialect);
}

function qualified(schema: string | undefined, name: string, dialect: Dialect): string {
  return schema === undefined ? quoted(name, dialect) : `${quoted(schema, dialect)}.${quoted(name, dialect)}`;
}

function quoted(name: string, { quote }: Dialect): string {
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}
