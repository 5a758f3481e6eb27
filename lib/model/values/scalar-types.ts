import { isIP } from 'node:net';
import { decodeBase64 } from '../../utils/base64.js';
import { INTEGER, NUMBER_TEXT } from '../../utils/number-texts.js';
import { readDateTime } from '../../utils/read-date-time.js';
import { isStorableJson, MAX_JSON_DEPTH, UNSTORABLE_TEXT } from './json-value.js';
import type { Attribute } from '../surface/surface.js';

/** The properties of a field that determine its valid values. */
export type TypedField = Pick<Attribute, 'type' | 'nativeType' | 'enumValues' | 'lacks'>;

/** A value for the data client, or a noun phrase for the expected value in an error message, e.g. `true or false`. */
export type Reading = { readonly value: unknown } | { readonly expected: string };

/**
 * Reads one element from a URL: a filter value, an id, or a part of one.
 *
 * It accepts only the exact form of the type: `1abc`, ` 1`, `1e3`, `01` and the empty string are not integers.
 *
 * @example
 * readText(author, '1abc'); // { expected: 'an integer between -2147483648 and 2147483647' }
 */
export function readText(attribute: TypedField, text: string): Reading {
  const type = SCALAR_TYPES[attribute.type];
  return toReading(type.fromText(text, attribute), type, attribute);
}

/**
 * Reads one element from a body or an RPC argument, either in its JSON form or already decoded by its serialization metadata. The caller
 * handles null and the lists of a list attribute.
 *
 * @example
 * readJson(createdAt, '2023-02-30T00:00:00Z'); // { expected: 'an ISO 8601 date and time with a time zone, …' }
 */
export function readJson(attribute: TypedField, value: unknown): Reading {
  const type = SCALAR_TYPES[attribute.type];
  return toReading(type.fromJson(value, attribute), type, attribute);
}

/** Returns the remedy for a text with a space in place of a plus sign, which a query string must encode; empty for other texts. */
export function remedyForPlus(attribute: TypedField, text: unknown): string {
  if (typeof text !== 'string' || !text.includes(' ') || 'expected' in readText(attribute, text.replaceAll(' ', '+'))) return '';
  return ' In a URL, a plus sign means a space: write %2B.';
}

function toReading(value: unknown, type: ScalarType, attribute: TypedField): Reading {
  return value === undefined ? { expected: type.expected(attribute) } : { value };
}

/** The readers of one scalar type. */
export interface ScalarType {
  /** Returns a noun phrase for valid values. */
  readonly expected: (attribute: TypedField) => string;
  /** Reads text of a URL; returns undefined for an invalid value. */
  readonly fromText: (text: string, attribute: TypedField) => unknown;
  /** Reads JSON or a decoded value; returns undefined for an invalid value. */
  readonly fromJson: (value: unknown, attribute: TypedField) => unknown;
}

/**
 * The scalar types of Prisma, and enums. A type rejects values outside its column type (a `@db.Uuid` column, integer ranges) where the
 * database would reject them in filters as well.
 * A length (`@db.VarChar(10)`) applies to writes only, and the database checks it.
 */
export const SCALAR_TYPES: Readonly<Record<Attribute['type'], ScalarType>> = {
  String: fromString(toText, (attribute) => textForm(attribute)?.expected ?? 'a string without NUL characters and lone surrogates'),
  Boolean: {
    expected: () => 'true or false',
    fromText: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
  },
  Int: {
    expected: (attribute) => expectedInteger(INT_RANGES, attribute),
    fromText: (text, attribute) => (INTEGER.test(text) ? toInt(Number(text), attribute) : undefined),
    fromJson: (value, attribute) => (Number.isInteger(value) ? toInt(Number(value), attribute) : undefined),
  },
  BigInt: {
    expected: (attribute) => `${expectedInteger(BIGINT_RANGES, attribute)} (as a string beyond ${Number.MAX_SAFE_INTEGER})`,
    fromText: toBigInt,
    fromJson: bigIntFromJson,
  },
  Float: {
    expected: () => 'a finite number',
    fromText: (text) => (NUMBER_TEXT.test(text) ? finite(Number(text)) : undefined),
    fromJson: (value) => (typeof value === 'number' ? finite(value) : undefined),
  },
  Decimal: {
    expected: () => `a decimal number (as a string beyond ${EXACT_DIGITS} significant digits)`,
    fromText: toDecimal,
    fromJson: decimalFromJson,
  },
  DateTime: {
    expected: ({ nativeType }) => DATE_FORMS.get(nativeType?.[0] ?? '') ?? DATE_FORM,
    fromText: readDateTime,
    fromJson: readDateTime,
  },
  Json: {
    expected: () =>
      `a JSON value of at most ${MAX_JSON_DEPTH} levels, without NUL characters, lone surrogates and the key '__prismaRawParameters__'`,
    fromText: (text) => toJson(parseJson(text)),
    fromJson: toJson,
  },
  Bytes: {
    expected: () => 'a Base64 string',
    fromText: decodeBase64,
    fromJson: (value) => (value instanceof Uint8Array ? value : typeof value === 'string' ? decodeBase64(value) : undefined),
  },
  Enum: fromString(
    (text, attribute) => (attribute.enumValues?.has(text) === true ? text : undefined),
    (attribute) => `one of ${[...(attribute.enumValues ?? [])].map((value) => `'${value}'`).join(', ')}`,
  ),
};

const DATE_FORM = 'an ISO 8601 date and time with a time zone, such as 2024-01-31T10:00:00Z';
const TIME_FORM = 'a time of the day 1970-01-01 in UTC, such as 1970-01-01T13:30:00Z';

/** Descriptions of valid values, by native type. */
const DATE_FORMS: ReadonlyMap<string, string> = new Map([
  ['Date', 'a date such as 2024-01-31'],
  ['Time', TIME_FORM],
  ['Timetz', TIME_FORM],
]);

/** Returns the readers of a type with the same string form in URLs and in JSON. */
function fromString(fromText: (text: string, attribute: TypedField) => unknown, expected: ScalarType['expected']): ScalarType {
  return { expected, fromText, fromJson: (value, attribute) => (typeof value === 'string' ? fromText(value, attribute) : undefined) };
}

interface TextForm {
  readonly pattern: Pick<RegExp, 'test'>;
  readonly expected: string;
}

const UUID: TextForm = { pattern: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, expected: 'a UUID' };
const INET: TextForm = { pattern: { test: isInet }, expected: 'an IPv4 or IPv6 address, with or without the length of a network prefix' };
const BITS: TextForm = { pattern: /^[01]+$/, expected: 'a string of the digits 0 and 1' };

/** Native types of `String` whose columns reject other texts, in comparisons as well. */
const TEXT_FORMS: ReadonlyMap<string, TextForm> = new Map([
  ['Uuid', UUID],
  ['UniqueIdentifier', UUID],
  ['ObjectId', { pattern: /^[\da-f]{24}$/i, expected: 'an ObjectId of 24 hexadecimal digits' }],
  ['Bit', BITS],
  ['VarBit', BITS],
  ['Inet', INET],
]);

function isInet(text: string): boolean {
  const [address = '', prefix = '0', ...others] = text.split('/');
  const bits = address.includes('%') ? 0 : { 0: 0, 4: 32, 6: 128 }[isIP(address)];
  return bits !== undefined && bits > 0 && others.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}

function textForm(attribute: TypedField): TextForm | undefined {
  return attribute.nativeType && TEXT_FORMS.get(attribute.nativeType[0]);
}

/** Returns hexadecimal digits in lower case, as databases return them. Because ids are compared as text, `A0` and `a0` must be one id. */
function toText(text: string, attribute: TypedField): string | undefined {
  const form = textForm(attribute);
  if (form) return form.pattern.test(text) ? text.toLowerCase() : undefined;
  return UNSTORABLE_TEXT.test(text) ? undefined : text;
}

/** Inclusive bounds by native type; `''` is the range without a native type. */
type Ranges<T> = ReadonlyMap<string, readonly [min: T, max: T]>;

/**
 * The pseudo native type for values that are compared with a sum of an `Int`. A sum of a `BigInt` has no such type, because Prisma compares
 * it only with 64-bit values.
 */
export const SUM = 'sum';

const INT_RANGES: Ranges<number> = new Map([
  ['', [-(2 ** 31), 2 ** 31 - 1]],
  ['SmallInt', [-(2 ** 15), 2 ** 15 - 1]],
  ['Int2', [-(2 ** 15), 2 ** 15 - 1]],
  // The union of the ranges: signed on MySQL, unsigned on SQL Server.
  ['TinyInt', [-(2 ** 7), 2 ** 8 - 1]],
  ['MediumInt', [-(2 ** 23), 2 ** 23 - 1]],
  ['UnsignedTinyInt', [0, 2 ** 8 - 1]],
  ['UnsignedSmallInt', [0, 2 ** 16 - 1]],
  ['UnsignedMediumInt', [0, 2 ** 24 - 1]],
  ['UnsignedInt', [0, 2 ** 32 - 1]],
  ['Oid', [0, 2 ** 32 - 1]],
  [SUM, [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
]);

const BIGINT_RANGES: Ranges<bigint> = new Map([
  ['', [-(2n ** 63n), 2n ** 63n - 1n]],
  ['UnsignedBigInt', [0n, 2n ** 64n - 1n]],
]);

function rangeOf<T>(ranges: Ranges<T>, attribute: TypedField): readonly [min: T, max: T] | undefined {
  return ranges.get(attribute.nativeType?.[0] ?? '') ?? ranges.get('');
}

function expectedInteger(ranges: Ranges<number | bigint>, attribute: TypedField): string {
  return `an integer between ${rangeOf(ranges, attribute)?.join(' and ') ?? ''}`;
}

function toInt(value: number, attribute: TypedField): number | undefined {
  return inRange(value, rangeOf(INT_RANGES, attribute));
}

function toBigInt(text: string, attribute: TypedField): bigint | undefined {
  return INTEGER.test(text) ? inRange(BigInt(text), rangeOf(BIGINT_RANGES, attribute)) : undefined;
}

function bigIntFromJson(value: unknown, attribute: TypedField): bigint | undefined {
  if (typeof value === 'string') return toBigInt(value, attribute);
  // A larger JSON number has already lost digits.
  if (Number.isSafeInteger(value)) return inRange(BigInt(Number(value)), rangeOf(BIGINT_RANGES, attribute));
  return typeof value === 'bigint' ? inRange(value, rangeOf(BIGINT_RANGES, attribute)) : undefined;
}

function inRange<T extends number | bigint>(value: T, range: readonly [min: T, max: T] | undefined): T | undefined {
  return range && value >= range[0] && value <= range[1] ? value : undefined;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** The maximum length of a Decimal's text. With the maximum exponent in {@link NUMBER_TEXT}, it limits the digits that the database expands. */
const MAX_DECIMAL_LENGTH = 1000;

/** Reads a Decimal as text, so that no digit is lost; the data client accepts a string. */
function toDecimal(text: string): string | undefined {
  return text.length <= MAX_DECIMAL_LENGTH && NUMBER_TEXT.test(text) ? text : undefined;
}

function decimalFromJson(value: unknown): unknown {
  if (typeof value === 'string') return toDecimal(value);
  if (typeof value === 'number') return isExactNumber(value) ? toDecimal(String(value)) : undefined;
  return isDecimal(value) ? value : undefined;
}

/** The number of significant digits that every JSON number preserves (IEEE 754 binary64). */
const EXACT_DIGITS = 15;

/** Whether `JSON.parse` has preserved all digits of a number. An unsafe integer, or one of more digits, may be a rounded one. */
function isExactNumber(value: number): boolean {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
  const [digits = ''] = value.toExponential().split('e');
  return digits.replace(/[-.]/g, '').length <= EXACT_DIGITS;
}

/**
 * Whether a value is a Decimal of any copy of decimal.js (the application's, Prisma's, ours). Its shape is sufficient, because JSON cannot
 * contain methods.
 */
function isDecimal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('d' in value) || !('toFixed' in value)) return false;
  return Array.isArray(value.d) && typeof value.toFixed === 'function';
}

function toJson(value: unknown): unknown {
  return isStorableJson(value) ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
