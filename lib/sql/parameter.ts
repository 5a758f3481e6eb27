import type { StoredField } from '../model/storage/storage.js';
import { decline } from './declined.js';
import type { Scope } from './scope.js';

/** The expression for a value that is compared with a field: a placeholder, cast to the type that Prisma's own statements use. */
export function operand(scope: Scope, field: StoredField, value: unknown): string {
  const { statement } = scope;
  const placeholder = statement.bind(scalar(field, value));
  if (field.enumType) return `CAST(${placeholder}::text AS ${statement.qualified(field.enumType.name, field.enumType.schema)})`;
  return field.type === 'Bytes' ? `decode(${placeholder}, 'base64')` : placeholder;
}

/** The same for a list of values, as one placeholder whatever its length. */
export function listOperand(scope: Scope, field: StoredField, values: readonly unknown[]): string {
  const { statement } = scope;
  const placeholder = statement.bind(values.map((value) => (value === null ? null : scalar(field, value))));
  if (!field.enumType) return placeholder;
  return `CAST(${placeholder}::text[] AS ${statement.qualified(field.enumType.name, field.enumType.schema)}[])`;
}

/** Types that Prisma's drivers read and write in special forms. */
const UNUSUAL: ReadonlySet<string> = new Set(['Time', 'Timetz', 'Money', 'Oid', 'Xml']);

/** @throws Declined for columns of types that are not supported */
export function requireUsual({ name, nativeType }: StoredField): void {
  if (nativeType && UNUSUAL.has(nativeType[0])) decline(`the type of ${name}`);
}

/** @throws Declined for a value that Prisma would refuse, or convert in a special way */
function scalar(field: StoredField, value: unknown): string | boolean {
  requireUsual(field);
  return FORMS[field.type](value, field) ?? decline(`a value of ${field.name}`);
}

type Form = (value: unknown, field: StoredField) => string | boolean | undefined;

const FORMS: Readonly<Record<StoredField['type'], Form>> = {
  String: (value) => (typeof value === 'string' && isSendable(value) ? value : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  Int: (value) => (Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31 ? String(value) : undefined),
  BigInt: bigInt,
  Float: (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined),
  Decimal: decimal,
  DateTime: (value, field) => (value instanceof Date ? dateTime(value, field) : undefined),
  Json: () => undefined,
  Bytes: (value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : undefined),
  Enum: (value, { enumType }) => (typeof value === 'string' ? enumType?.values.get(value) : undefined),
};

/** PostgreSQL stores no text with a NUL character, and UTF-8 has no lone surrogates. */
export function isSendable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** @throws Declined for anything but a text that can be sent */
export function textOf(value: unknown): string {
  return typeof value === 'string' && isSendable(value) ? value : decline('a text that is none');
}

/** The `LIKE` pattern for a part of a text. Wildcards in the text work as wildcards, as in Prisma. */
export function patternOf(operator: string, placeholder: string): string {
  return PATTERNS.get(operator)?.(placeholder) ?? decline(`the operator ${operator}`);
}

export const PATTERNS: ReadonlyMap<string, (placeholder: string) => string> = new Map([
  ['contains', (placeholder) => `('%' || ${placeholder} || '%')`],
  ['startsWith', (placeholder) => `(${placeholder} || '%')`],
  ['endsWith', (placeholder) => `('%' || ${placeholder})`],
]);

function bigInt(value: unknown): string | undefined {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,18}$/.test(value));
  if (!isInteger) return undefined;
  const integer = BigInt(value as bigint | number | string);
  return BigInt.asIntN(64, integer) === integer ? String(integer) : undefined;
}

function decimal(value: unknown): string | undefined {
  const text = typeof value === 'object' && value !== null ? (value as { readonly toFixed?: () => string }).toFixed?.() : String(value);
  return text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined;
}

/** As Prisma's driver adapters write it: without a zone, which the column's type or the session's says. */
function dateTime(value: Date, { nativeType }: StoredField): string | undefined {
  const year = value.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return undefined;
  const text = value.toISOString();
  return nativeType?.[0] === 'Date' ? text.slice(0, 10) : text.slice(0, -1).replace('T', ' ');
}
