import { Decimal } from 'decimal.js';
import type { FieldDescription } from '../rpc/protocol/api-description.js';
import { decodeBase64, encodeBase64 } from '../utils/base64.js';
import { INTEGER, NUMBER_TEXT } from '../utils/number-texts.js';
import { readDateTime } from '../utils/read-date-time.js';
import { isDecimal } from '../wire/encode-scalar.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/**
 * Returns a value of a row as JSON without loss, because forms, caches and addresses of pages hold nothing else: BigInt and Decimal as text, DateTime
 * as ISO 8601, a `@db.Date` as `2026-01-02`, Bytes as base64.
 */
export function toJsonValue(value: unknown, format?: string): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return format === 'date' ? value.toISOString().split('T')[0] : value.toISOString();
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (isDecimal(value)) return value.toJSON();
  if (Array.isArray(value)) return value.map((item) => toJsonValue(item, format));
  return isPlainObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJsonValue(member)])) : value;
}

/**
 * Returns the value of a field as the API takes it: the inverse of {@link toJsonValue}, which also reads the texts of inputs and addresses (`'5'`,
 * `'true'`). A value that is none of the field's type, or that would lose digits, is returned as it is, so that the server refuses it by its field.
 */
export function toFieldValue(field: FieldDescription, value: unknown): unknown {
  if (Array.isArray(value) && field.type !== 'Json') return value.map((item) => parseValue(field, item));
  return parseValue(field, value);
}

function parseValue(field: FieldDescription, value: unknown): unknown {
  if (field.type === 'BigInt' && typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return typeof value === 'string' ? (PARSERS[field.type]?.(value, field) ?? value) : value;
}

/** Returns the value of a field of a key from an id, as REST reads it. Undefined for a text that is none of the field's type. */
export function toKeyValue(field: FieldDescription, text: string): unknown {
  const reader = KEY_READERS[field.format ?? ''] ?? KEY_READERS[field.type] ?? PARSERS[field.type];
  return reader ? reader(text, field) : text;
}

type Reader = (text: string, field: FieldDescription) => unknown;

/** Parsers of texts by type, which return undefined for a text that is none of the type. */
const PARSERS: Readonly<Record<string, Reader>> = {
  Int: (text) => (INTEGER.test(text) ? exactNumber(text) : undefined),
  Float: (text) => (NUMBER_TEXT.test(text) ? exactNumber(text) : undefined),
  BigInt: (text) => (INTEGER.test(text) ? BigInt(text) : undefined),
  Boolean: (text) => BOOLEANS.get(text),
  DateTime: (text, { format }) => readDateTime(text) ?? (format === 'date' ? undefined : readLocalTime(text)),
  Bytes: decodeBase64,
};

/** Readers of what an id has in another form than an input, by format and type. */
const KEY_READERS: Readonly<Record<string, Reader>> = {
  Int: (text) => (isInteger(text, 32n) ? Number(text) : undefined),
  BigInt: (text) => (isInteger(text, 64n) ? BigInt(text) : undefined),
  DateTime: readDateTime,
  Decimal: (text) => (NUMBER_TEXT.test(text) ? text : undefined),
  Enum: (text, { values }) => (values?.includes(text) === false ? undefined : text),
  uuid: (text) => (UUID.test(text) ? text.toLowerCase() : undefined),
};

/** Whether a text is an integer of so many bits, with a sign or without one. The description does not say which of them a column has. */
function isInteger(text: string, bits: bigint): boolean {
  return INTEGER.test(text) && BigInt(text) >= -(2n ** (bits - 1n)) && BigInt(text) < 2n ** bits;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Returns the number that a text has every digit of. Undefined if the nearest number is another one. */
function exactNumber(text: string): number | undefined {
  const number = Number(text);
  return Number.isFinite(number) && new Decimal(text).equals(new Decimal(String(number))) ? number : undefined;
}

/** Reads the text of `<input type="datetime-local">`, which has no time zone, in that of the browser, as react-admin and HTML do. */
function readLocalTime(text: string): Date | undefined {
  return LOCAL_TIME.test(text) && readDateTime(`${text}Z`) ? new Date(text) : undefined;
}

const LOCAL_TIME = /T[\d:.]+$/;

/** Returns a value as text: that of a scalar, or JSON. */
export function textOf(value: unknown): string {
  const json = toJsonValue(value);
  return typeof json === 'string' ? json : JSON.stringify(json);
}

/**
 * Returns a text that is equal for values that the API would store as the same: of a field as its type reads them, otherwise as JSON, in which the
 * order of members has no meaning, and the ids of related records are equal to their texts.
 */
export function comparableOf(field: FieldDescription | undefined, value: unknown): string {
  if (!field) return canonicalJson(toIdTexts(value));
  if (field.type === 'Json') return canonicalJson(value);
  const read = toJsonValue(toFieldValue(field, value), field.format);
  return canonicalJson(field.type === 'Decimal' ? toIdTexts(read) : read);
}

/** Returns numbers, and those of a list, as texts. */
function toIdTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toIdTexts);
  return typeof value === 'number' ? String(value) : value;
}

function canonicalJson(value: unknown): string {
  // A value that JSON lacks gets a form that no other value has. `JSON.stringify` returns undefined for undefined alone.
  return JSON.stringify(toJsonValue(value), (_, member: unknown) => {
    if (typeof member === 'number' && !Number.isFinite(member)) return { number: String(member) };
    return isPlainObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member;
  });
}
