import { memberOf } from '../errors/member-of.js';
import { isPrismaNull, isStorableJson, prismaNullName } from '../model/values/json-value.js';
import { isFieldReference } from '../prisma/is-field-reference.js';
import type { StoredField } from '../model/storage/storage.js';
import { toIsoString } from '../utils/to-iso-string.js';
import { decline } from './declined.js';

/** A value for a placeholder: a boolean, a text, which PostgreSQL converts to the type that it infers, or a list of them. */
export type Parameter = string | boolean | null | readonly (string | boolean | null)[];

/** Converts a value of a query to that of its placeholder. It throws {@link Declined} for a value that is sent in no usual form. */
export type Encode = (value: unknown) => Parameter;

/** How values are sent that are compared with a field. */
export function scalarEncoder(field: StoredField): Encode {
  requireUsual(field);
  const form = FORMS[field.type];
  return (value) => form(value, field) ?? decline(`a value of ${field.name}`);
}

/** How lists of such values are sent, in one placeholder whatever their length. One that a list is compared with may hold nulls. */
export function listEncoder(field: StoredField, mayHoldNull = false): Encode {
  requireUsual(field);
  const form = FORMS[field.type];
  const encode = (value: unknown): string | boolean | null => {
    if (value === null) return mayHoldNull ? null : decline('null in a list');
    return form(value, field) ?? decline(`a value of ${field.name}`);
  };
  return (values) => (Array.isArray(values) ? values.map(encode) : decline('a list of a form of its own'));
}

/** Types that Prisma's drivers read and write in special forms. */
const UNUSUAL: ReadonlySet<string> = new Set(['Money', 'Oid', 'Xml']);

/** @throws Declined for columns of types that are not supported */
export function requireUsual({ name, nativeType }: StoredField): void {
  if (nativeType && UNUSUAL.has(nativeType[0])) decline(`the type of ${name}`);
}

type Form = (value: unknown, field: StoredField) => string | boolean | undefined;

/** Undefined for a value that Prisma would refuse, or convert in a special way. */
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

/** PostgreSQL stores no text with a NUL character, and UTF-8 has no lone surrogates. */
function isSendable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** @throws Declined for anything but a text that can be sent */
export function encodeText(value: unknown): string {
  return typeof value === 'string' && isSendable(value) ? value : decline('a text that is none');
}

/** Which of Prisma's three Json nulls a value is. */
export function jsonNullOf(value: unknown): 'DbNull' | 'JsonNull' | 'AnyNull' | undefined {
  if (!isPrismaNull(value)) return undefined;
  const name = prismaNullName(value);
  return name === 'DbNull' || name === 'JsonNull' || name === 'AnyNull' ? name : decline('a null of a form of its own');
}

/** A path into a Json value. */
export function encodePath(value: unknown): readonly string[] {
  const isPath = Array.isArray(value) && value.every((step): step is string => typeof step === 'string' && isSendable(step));
  return isPath ? value : decline('a path of a form of its own');
}

/** A value as Json. A plain null means something different for each of Prisma's operators. */
export function encodeJson(value: unknown): string {
  if (value === null || value === undefined || isFieldReference(value) || !isStorableJson(value))
    return decline('a Json value of a form of its own');
  const text = JSON.stringify(value);
  return PROTOTYPE.test(text) ? decline('a Json value with the key __proto__') : text;
}

/** The key `__proto__` in a Json text, however it is escaped: Prisma loses what is under it. */
export const PROTOTYPE = /"(?:__proto__|[\w]*\\u00[567][^"]*)"\s*:/i;

export function encodeCount(value: unknown): string {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : decline('a number of rows that is none');
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

/** As Prisma's driver adapters write it: without a zone, which the column's type or the session's says. */
function dateTime(value: Date, { nativeType }: StoredField): string | undefined {
  const year = value.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return undefined;
  const text = toIsoString(value);
  const [type] = nativeType ?? [];
  if (type === 'Date') return text.slice(0, 10);
  return type === 'Time' || type === 'Timetz' ? text.slice(11, -1) : text.slice(0, -1).replace('T', ' ');
}
