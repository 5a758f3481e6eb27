import { Decimal } from 'decimal.js';
import type { StoredField } from '../model/storage/storage.js';
import { matchesPattern } from '../utils/matches-pattern.js';
import { toIsoString } from '../utils/to-iso-string.js';
import { decline } from './declined.js';
import { requireSupportedType } from './parameter.js';

/** Converts a JSON value to the value that Prisma returns for the field, or to its text in a response, which is faster. */
export type Decode = (value: unknown) => unknown;

/** The encoding of a column in JSON that loses nothing: text for numbers that JSON numbers cannot represent exactly, and base64 for bytes. */
export type Sent = 'plain' | 'text' | 'texts' | 'base64' | 'base64s';

/** The encoding of a field's values in JSON, and their decoder. */
interface Carried<Form extends Sent = Sent> {
  readonly sent: Form;
  /** Absent if the JSON value already is what Prisma returns. */
  readonly decode?: Decode;
}

/**
 * Returns the encoding of a field.
 *
 * @throws Declined for columns of types that are not supported
 */
export function sentOf(field: StoredField): Sent {
  return carriedOf(field).sent;
}

export function decodeOf(field: StoredField): Decode | undefined {
  return carriedOf(field).decode;
}

/**
 * Returns the encoding and the decoder of a field, cached by field.
 *
 * @throws Declined for columns of types that are not supported
 */
export function carriedOf(field: StoredField): Carried {
  let carried = KNOWN.get(field);
  if (!carried) {
    carried = makeCarried(field);
    KNOWN.set(field, carried);
  }
  return carried;
}

/** The cache of {@link carriedOf}. The fields of a schema never change. */
const KNOWN = new WeakMap<StoredField, Carried>();

function makeCarried(field: StoredField): Carried {
  requireSupportedType(field);
  const one = CARRIED[field.type](field);
  if (!field.list) return { ...one, ...TEXTS[field.type]?.(field) };
  return { sent: LISTS[one.sent], decode: listOf(one.decode) };
}

const LISTS = { plain: 'plain', text: 'texts', base64: 'base64s' } as const;

const CARRIED: Readonly<Record<StoredField['type'], (field: StoredField) => Carried<keyof typeof LISTS>>> = {
  String: () => ({ sent: 'plain' }),
  Boolean: () => ({ sent: 'plain' }),
  Int: () => ({ sent: 'plain' }),
  BigInt: () => ({ sent: 'text', decode: (value) => BigInt(requireText(value)) }),
  Float: () => ({ sent: 'plain', decode: (value) => Number(value) }),
  Decimal: () => ({ sent: 'text', decode: (value) => new Decimal(requireText(value)) }),
  DateTime: (field) => ({ sent: 'plain', decode: dateDecoder(field) }),
  Json: () => ({ sent: 'plain' }),
  Bytes: () => ({ sent: 'base64', decode: (value) => new Uint8Array(Buffer.from(requireText(value), 'base64')) }),
  Enum: ({ enumType }) => ({ sent: 'plain', decode: enumDecoder(enumType?.values) }),
};

/** Decoders of single values to their text in a response. */
const TEXTS: Readonly<Partial<Record<StoredField['type'], (field: StoredField) => { readonly decode: Decode }>>> = {
  BigInt: () => ({ decode: (value) => value }),
  Decimal: () => ({ decode: (value) => decimalText(requireText(value)) }),
  DateTime: (field) => {
    const decode = dateDecoder(field);
    return { decode: (value) => dateText(requireText(value)) ?? toIsoString(decode(value)) };
  },
};

/** Returns a decimal as decimal.js prints it: without trailing zeros, and with an exponent if it is very small or very large. */
function decimalText(text: string): string {
  if (!PLAIN_DECIMAL.test(text)) return new Decimal(text).toJSON();
  return text.includes('.') ? withoutTrailingZeros(text) : text;
}

/**
 * Returns a number without trailing zeros. It uses a loop, because a regular expression takes quadratic time for a number with many zeros before its
 * last digit.
 */
function withoutTrailingZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

const PLAIN_DECIMAL = /^(?!-?0\.000000)-?\d{1,20}(?:\.\d+)?$/;

/** Returns a time stamp with a year of four digits in ISO format, to the millisecond; undefined for any other. */
function dateText(text: string): string | undefined {
  if (matchesPattern(text, WHOLE_SECONDS)) return `${text}.000Z`;
  if (matchesPattern(text, MILLISECONDS)) return `${text}Z`;
  const [, seconds, fraction = ''] = TIMESTAMP.exec(text) ?? [];
  return seconds === undefined ? undefined : `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

/** The two most frequent formats, with `0` for any digit. Comparing with them is several times as fast as a regular expression. */
const WHOLE_SECONDS = '0000-00-00T00:00:00';
const MILLISECONDS = '0000-00-00T00:00:00.000';

/** A time stamp with an optional zone, which is dropped, as Prisma's driver adapters do. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:[+-]\d\d(?::\d\d)?)?$/;

function dateDecoder({ nativeType }: StoredField): (value: unknown) => Date {
  const [type] = nativeType ?? [];
  if (type === 'Date') return (value) => dateOf(requireText(value));
  const before = type === 'Time' || type === 'Timetz' ? '1970-01-01T' : '';
  // Prisma's driver adapters ignore the time zone.
  const hasZone = type === 'Timetz' || type === 'Timestamptz';
  return (value) => dateOf(`${before}${hasZone ? requireText(value).replace(ZONE, '') : requireText(value)}Z`);
}

const ZONE = /[+-]\d{2}(?::\d{2})?$/;

/** Returns a date. Prisma rejects or misreads years before Christ, and those of other than four digits, so they are declined. */
function dateOf(text: string): Date {
  const date = new Date(FOUR_DIGITS.test(text) ? text : Number.NaN);
  return Number.isNaN(date.getTime()) ? decline('a date that JavaScript does not have') : date;
}

const FOUR_DIGITS = /^\d{4}-/;

function enumDecoder(values: ReadonlyMap<string, string> = new Map()): Decode {
  const names = new Map<unknown, string>([...values].map(([name, stored]) => [stored, name]));
  return (value) => names.get(value) ?? decline('a value of an enum that the schema does not know');
}

/** Returns the decoder of a list. Null is decoded as an empty list. */
function listOf(decode: Decode = (item) => item): Decode {
  return (value) => listIn(value).map((item) => (item === null ? decline('null in a list') : decode(item)));
}

/** Returns the elements of a decoded list, and none for null. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function requireText(value: unknown): string {
  return typeof value === 'string' ? value : decline('a value that is sent as no text');
}
