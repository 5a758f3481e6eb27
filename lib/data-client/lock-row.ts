import { memberOf } from '../errors/member-of.js';
import type { Storage, StoredField, StoredModel } from '../model/storage/storage.js';
import { fieldNamed } from '../query/fields.js';
import type { UniqueCondition } from '../query/condition.js';

/** A statement of SQL, and its values in order. */
export interface LockStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The database that a row is locked in. */
export interface LockingDatabase {
  readonly provider: Storage['provider'];
  /** The schema of tables without `@@schema`. Left out: the search path decides. */
  readonly schema?: string | undefined;
}

interface Dialect {
  readonly quote: string;
  /** The comparison of a column with the value at an index; undefined for a type that the driver sends in a form of its own. */
  readonly isEqual: (column: string, index: number, field: StoredField) => string | undefined;
}

const POSTGRESQL: Dialect = {
  quote: '"',
  isEqual: (column, index, field) => {
    if (field.type === 'Enum') return `${column}::text = $${index + 1}`;
    const cast = castOf(field);
    return cast === undefined ? undefined : `${column} = $${index + 1}${cast}`;
  },
};

const MYSQL: Dialect = { quote: '`', isEqual: (column, _, { type }) => (PLAIN.has(type) ? `${column} = ?` : undefined) };

/** The databases that can lock a row for the rest of a transaction. */
const DIALECTS: Readonly<Partial<Record<Storage['provider'], Dialect>>> = {
  postgresql: POSTGRESQL,
  cockroachdb: POSTGRESQL,
  mysql: MYSQL,
};

/**
 * Compiles the statement that locks the row of a key until its transaction ends.
 *
 * @returns undefined where the database has no row locks, or the key has a type whose values drivers send in a form of their own
 */
export function lockRow({ keys: [first] }: UniqueCondition, { provider, schema }: LockingDatabase): LockStatement | undefined {
  const dialect = DIALECTS[provider];
  if (!dialect) return undefined;
  const { model, key, values } = first;
  const fields = key.fields.map((name) => fieldNamed(model, name));
  const conditions = fields.map((field, index) => dialect.isEqual(quoted(field.column, dialect), index, field));
  if (conditions.includes(undefined)) return undefined;
  const text = `SELECT 1 FROM ${tableOf(model, dialect, schema)} WHERE ${conditions.join(' AND ')} FOR UPDATE`;
  return { text, values: fields.map((field, index) => sentValue(field, values[index])) };
}

/** The schema that a client of Prisma with a driver adapter qualifies tables without `@@schema` with; undefined for any other client. */
export function schemaOfClient(client: object): string | undefined {
  const adapter = ['_engineConfig', 'adapter'].reduce<unknown>(memberOf, client);
  if (typeof adapter !== 'object' || adapter === null) return undefined;
  const schema = ['options', 'schema'].reduce<unknown>(memberOf, adapter);
  return typeof schema === 'string' ? schema : 'public';
}

const PLAIN: ReadonlySet<StoredField['type']> = new Set(['String', 'Int', 'BigInt']);

/** The casts of types that PostgreSQL does not infer from how drivers send their values. Values of other types are compared in no usual way. */
const CASTS: Readonly<Partial<Record<StoredField['type'], Readonly<Record<string, string>>>>> = {
  String: { '': '', 'Text': '', 'VarChar': '', 'Char': '', 'Citext': '', 'Uuid': '::uuid' },
  Int: { '': '::integer', 'Integer': '::integer', 'SmallInt': '::integer' },
  BigInt: { '': '::bigint', 'BigInt': '::bigint' },
  Boolean: { '': '::text::boolean', 'Boolean': '::text::boolean' },
  Decimal: { '': '::text::numeric', 'Decimal': '::text::numeric' },
  DateTime: { '': '::text::timestamp', 'Timestamp': '::text::timestamp', 'Timestamptz': '::text::timestamptz', 'Date': '::text::date' },
};

function castOf({ type, nativeType }: StoredField): string | undefined {
  return CASTS[type]?.[nativeType?.[0] ?? ''];
}

/** Returns a value as the column has it: of an enum, the name in the database (`@map`). */
function sentValue({ type, enumType }: StoredField, value: unknown): unknown {
  if (type === 'Enum') return enumType?.values.get(String(value)) ?? value;
  if (PLAIN.has(type)) return value;
  return value instanceof Date ? value.toISOString() : String(value);
}

function tableOf({ schema: own, table }: StoredModel, dialect: Dialect, schema: string | undefined): string {
  return [own ?? (dialect === POSTGRESQL ? schema : undefined), table]
    .flatMap((name) => (name === undefined ? [] : [quoted(name, dialect)]))
    .join('.');
}

function quoted(name: string, { quote }: Dialect): string {
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}
