import { memberOf } from '../errors/member-of.js';
import { isPrismaNull, isStorableJson, prismaNullName } from '../model/values/json-value.js';
import { isFieldReference } from '../prisma/is-field-reference.js';
import type { StoredField } from '../model/storage/storage.js';
import { toIsoString } from '../utils/to-iso-string.js';
import { decline } from './declined.js';

/** A value of a placeholder. PostgreSQL converts a text to the type that it infers. */
export type Parameter = string | boolean | null | readonly (string | boolean | null)[];

/** Converts a value of a query to the value of its placeholder. It throws {@link Declined} for a value that SQL does not support. */
export type Encode = (value: unknown) => Parameter;

/** Returns the encoder of a value that is compared with a field, or assigned to it. */
export function scalarEncoder(field: StoredField): Encode {
  requireSupportedType(field);
  const form = FORMS[field.type];
  return (value) => form(value, field) ?? decline(`a value of ${field.name}`);
}

/**
 * Returns the encoder of a list of values, which needs one placeholder for any length. The operand of a comparison with a list field may contain
 * nulls.
 */
export function listEncoder(field: StoredField, mayHoldNull = false): Encode {
  requireSupportedType(field);
  const form = FORMS[field.type];
  const encode = (value: unknown): string | boolean | null => {
    if (value === null) return mayHoldNull ? null : decline('null in a list');
    return form(value, field) ?? decline(`a value of ${field.name}`);
  };
  return (values) => (Array.isArray(values) ? values.map(encode) : decline('a list of a form of its own'));
}

/** Types that Prisma's drivers read and write in special formats. */
const UNUSUAL: ReadonlySet<string> = new Set(['Money', 'Oid', 'Xml']);

/**
 * Requires a column of a supported type.
 *
 * @throws Declined for any other
 */
export function requireSupportedType({ name, nativeType }: StoredField): void {
  if (nativeType && UNUSUAL.has(nativeType[0])) decline(`the type of ${name}`);
}

type Form = (value: unknown, field: StoredField) => string | boolean | undefined;

/** Encoders by type. They return undefined for a value that Prisma would reject, or convert in a special way. */
const FORMS: Readonly<Record<StoredField['type'], Form>> = {
  String: (value) => (typeof value === 'string' && isSendable(value) ? value : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  Int: (value) => (Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31 ? String(value) : undefined),
  BigInt: bigInt,
  Float: (value) => (typeof value === 'number' ? String(value) : undefined),
  Decimal: decimal,
  DateTime: (value, field) => (value instanceof Date ? dateTime(value, field) : undefined),
  Json: () => undefined,
  Bytes: (value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : undefined),
  Enum: (value, { enumType }) => (typeof value === 'string' ? enumType?.values.get(value) : undefined),
};

/** Whether PostgreSQL can store a text. It has no NUL characters, and UTF-8 has no lone surrogates. */
function isSendable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/**
 * Returns a text.
 *
 * @throws Declined for any other value, and for a text that PostgreSQL cannot store
 */
export function encodeText(value: unknown): string {
  return typeof value === 'string' && isSendable(value) ? value : decline('a value of a text column that is not a text');
}

/** Returns which of Prisma's three Json nulls a value is; undefined for any other value. */
export function jsonNullOf(value: unknown): 'DbNull' | 'JsonNull' | 'AnyNull' | undefined {
  if (!isPrismaNull(value)) return undefined;
  const name = prismaNullName(value);
  return name === 'DbNull' || name === 'JsonNull' || name === 'AnyNull' ? name : decline('a null of a form of its own');
}

/**
 * Returns a path into a Json value.
 *
 * @throws Declined for anything but a list of texts
 */
export function encodePath(value: unknown): readonly string[] {
  const isPath = Array.isArray(value) && value.every((step): step is string => typeof step === 'string' && isSendable(step));
  return isPath ? value : decline('a path of a form of its own');
}

/** Returns a value as JSON text. A plain null is declined, because its meaning differs between Prisma's operators. */
export function encodeJson(value: unknown): string {
  if (value === null || value === undefined || isFieldReference(value) || !isStorableJson(value))
    return decline('a Json value of a form of its own');
  const text = JSON.stringify(value);
  return PROTOTYPE.test(text) ? decline('a Json value with the key __proto__') : text;
}

/** Matches the key `__proto__` in a JSON text, also if it is escaped. Prisma loses the value of that key. */
export const PROTOTYPE = /"(?:__proto__|[\w]*\\u00[567][^"]*)"\s*:/i;

export function encodeCount(value: unknown): string {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : decline('a skip or a take that is not a whole number');
}

function bigInt(value: unknown): string | undefined {
  const isText = typeof value === 'string' && /^-?\d{1,18}$/.test(value);
  if (!isText && typeof value !== 'bigint' && !(typeof value === 'number' && Number.isSafeInteger(value))) return undefined;
  const integer = BigInt(value);
  return BigInt.asIntN(64, integer) === integer ? String(integer) : undefined;
}

function decimal(value: unknown): string | undefined {
  const toFixed = memberOf(value, 'toFixed');
  if (typeof value === 'object' && typeof toFixed !== 'function') return undefined;
  const text = String(typeof toFixed === 'function' ? Reflect.apply(toFixed, value, []) : value);
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined;
}

/** Returns a date as Prisma's driver adapters send it: without a time zone, which the type of the column or the session determines. */
function dateTime(value: Date, { nativeType }: StoredField): string | undefined {
  const year = value.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return undefined;
  const text = toIsoString(value);
  const [type] = nativeType ?? [];
  if (type === 'Date') return text.slice(0, 10);
  return type === 'Time' || type === 'Timetz' ? text.slice(11, -1) : text.slice(0, -1).replace('T', ' ');
}
