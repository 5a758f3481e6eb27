import type { FieldDescription } from '../rpc/protocol/api-description.js';
import { decodeBase64, encodeBase64 } from '../utils/base64.js';
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
 * `'true'`). A value that is none of the field's type is returned as it is, so that the server refuses it by its field.
 */
export function toFieldValue({ type }: FieldDescription, value: unknown): unknown {
  if (Array.isArray(value) && type !== 'Json') return value.map((item) => parseValue(type, item));
  return parseValue(type, value);
}

function parseValue(type: string, value: unknown): unknown {
  if (type === 'BigInt' && Number.isSafeInteger(value)) return BigInt(value as number);
  return typeof value === 'string' ? (PARSERS[type]?.(value) ?? value) : value;
}

/** Parsers of texts by type, which return undefined for a text that is none of the type. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  Int: parseNumber,
  Float: parseNumber,
  BigInt: (text) => (/^-?\d+$/.test(text) ? BigInt(text) : undefined),
  Boolean: (text) => BOOLEANS.get(text),
  DateTime: parseDate,
  Bytes: decodeBase64,
};

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function parseNumber(text: string): number | undefined {
  const number = /^-?\d/.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

function parseDate(text: string): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Returns a value as text: that of a scalar, or JSON. */
export function textOf(value: unknown): string {
  const json = toJsonValue(value);
  return typeof json === 'string' ? json : JSON.stringify(json);
}
