import type { DatabaseProvider } from '../model/schema/resource-schema.js';
import type { StoredField, StoredModel } from '../model/storage/storage.js';
import { fieldNamed } from '../query/fields.js';
import type { UniqueCondition } from '../query/condition.js';

/** A statement of SQL, and its values in order. */
export interface LockStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Dialect {
  readonly quote: string;
  readonly slot: (index: number, field: StoredField) => string;
}

/** The databases that can lock a row for the rest of a transaction. */
const DIALECTS: Readonly<Partial<Record<DatabaseProvider, Dialect>>> = {
  postgresql: { quote: '"', slot: (index, field) => `$${index + 1}${castOf(field)}` },
  cockroachdb: { quote: '"', slot: (index, field) => `$${index + 1}${castOf(field)}` },
  mysql: { quote: '`', slot: () => '?' },
};

/**
 * Locks the row that has a key until its transaction ends; undefined where the database cannot, or where the key is of a type whose values the
 * drivers send in forms of their own.
 */
export function lockRow({ keys: [first] }: UniqueCondition, provider: DatabaseProvider): LockStatement | undefined {
  const dialect = DIALECTS[provider];
  if (!dialect) return undefined;
  const { model, key, values } = first;
  const fields = key.fields.map((name) => fieldNamed(model, name));
  if (!fields.every(({ type }) => PLAIN.has(type))) return undefined;
  const named = (name: string): string => quoted(name, dialect);
  const conditions = fields.map((field, index) => `${named(field.column)} = ${dialect.slot(index, field)}`);
  return { text: `SELECT 1 FROM ${tableOf(model, dialect)} WHERE ${conditions.join(' AND ')} FOR UPDATE`, values };
}

const PLAIN: ReadonlySet<StoredField['type']> = new Set(['String', 'Int', 'BigInt']);

function castOf({ type, nativeType }: StoredField): string {
  if (nativeType?.[0] === 'Uuid') return '::uuid';
  return type === 'Int' ? '::integer' : type === 'BigInt' ? '::bigint' : '';
}

function tableOf({ schema, table }: StoredModel, dialect: Dialect): string {
  return [...(schema === undefined ? [] : [schema]), table].map((name) => quoted(name, dialect)).join('.');
}

function quoted(name: string, { quote }: Dialect): string {
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}
