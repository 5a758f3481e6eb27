import { isStorableJson } from '../model/values/json-value.js';
import type { StoredField } from '../model/storage/storage.js';
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

/** How lists of such values are sent, in one placeholder whatever their length. */
export function listEncoder(field: StoredField): Encode {
  requireUsual(field);
  const form = FORMS[field.type];
  return (values) => {
    if (!Array.isArray(values)) return decline('a list of a form of its own');
    return values.map((value: unknown) => form(value, field) ?? decline(value === null ? 'null in a list' : `a value of ${field.name}`));
  };
}

/** How a list is sent that a list is compared with: it may hold nulls. */
export function nullableListEncoder(field: StoredField): Encode {
  const encode = scalarEncoder(field);
  return (values) => {
    if (!Array.isArray(values)) return decline('a list of a form of its own');
    // What is no list itself is encoded as one text or boolean.
    return values.map((value: unknown) => (value === null ? null : (encode(value) as string | boolean)));
  };
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
  Float: (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined),
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

/** A path into a Json value. */
export function encodePath(value: unknown): readonly string[] {
  const isPath = Array.isArray(value) && value.every((step): step is string => typeof step === 'string' && isSendable(step));
  return isPath ? value : decline('a path of a form of its own');
}

/** A value as Json. A plain null means something different for each of Prisma's operators. */
export function encodeJson(value: unknown): string {
  if (value === null || value === undefined || !isStorableJson(value)) return decline('a Json value of a form of its own');
  const text = JSON.stringify(value);
  return PROTOTYPE.test(text) ? decline('a Json value with the key __proto__') : text;
}

/** The key `__proto__` in a Json text, however it is escaped: Prisma loses what is under it. */
export const PROTOTYPE = /"(?:__proto__|[\w]*\\u00[567][^"]*)"\s*:/i;

export function encodeCount(value: unknown): string {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : decline('a number of rows that is none');
}

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
  const [type] = nativeType ?? [];
  if (type === 'Date') return text.slice(0, 10);
  return type === 'Time' || type === 'Timetz' ? text.slice(11, -1) : text.slice(0, -1).replace('T', ' ');
}
