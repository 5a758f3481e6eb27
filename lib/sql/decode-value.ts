import { Decimal } from 'decimal.js';
import type { StoredField } from '../model/storage/storage.js';
import { isLike } from '../utils/is-like.js';
import { toIsoString } from '../utils/to-iso-string.js';
import { decline } from './declined.js';
import { requireUsual } from './parameter.js';

/** Converts a JSON value to the value that Prisma returns for the field, or to the text of that value in a response, which is faster. */
export type Decode = (value: unknown) => unknown;

/** How a value is sent, so that nothing of it is lost in JSON: numbers that it has no exact form for as text, bytes in base64. */
export type Sent = 'plain' | 'text' | 'texts' | 'base64' | 'base64s';

/** How the values of a field are sent, and how they are decoded. */
interface Carried<Form extends Sent = Sent> {
  readonly sent: Form;
  /** Absent if the JSON value is what Prisma returns. */
  readonly decode?: Decode;
}

/** @throws Declined for columns of types that are not supported */
export function sentOf(field: StoredField): Sent {
  return carriedOf(field).sent;
}

export function decodeOf(field: StoredField): Decode | undefined {
  return carriedOf(field).decode;
}

/** @throws Declined for columns of types that are not supported */
export function carriedOf(field: StoredField): Carried {
  let carried = KNOWN.get(field);
  if (!carried) {
    carried = makeCarried(field);
    KNOWN.set(field, carried);
  }
  return carried;
}

/** The fields of the schema never change. */
const KNOWN = new WeakMap<StoredField, Carried>();

function makeCarried(field: StoredField): Carried {
  requireUsual(field);
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

/** The texts that single values become in an answer. */
const TEXTS: Readonly<Partial<Record<StoredField['type'], (field: StoredField) => { readonly decode: Decode }>>> = {
  BigInt: () => ({ decode: (value) => value }),
  Decimal: () => ({ decode: (value) => decimalText(requireText(value)) }),
  DateTime: (field) => {
    const decode = dateDecoder(field);
    return { decode: (value) => dateText(requireText(value)) ?? toIsoString(decode(value)) };
  },
};

/** As decimal.js writes it: without zeros at the end, and the very small and the very large ones with an exponent. */
function decimalText(text: string): string {
  if (!PLAIN_DECIMAL.test(text)) return new Decimal(text).toJSON();
  return text.includes('.') ? withoutTrailingZeros(text) : text;
}

/** By hand: an expression for zeros at the end looks at every run of zeros before them from each of its digits on. */
function withoutTrailingZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

const PLAIN_DECIMAL = /^(?!-?0\.000000)-?\d{1,20}(?:\.\d+)?$/;

/** The text of a time stamp of today's calendar, to the millisecond; undefined for any other. */
function dateText(text: string): string | undefined {
  if (isLike(text, WHOLE_SECONDS)) return `${text}.000Z`;
  if (isLike(text, MILLISECONDS)) return `${text}Z`;
  const [, seconds, fraction = ''] = TIMESTAMP.exec(text) ?? [];
  return seconds === undefined ? undefined : `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

/** The most usual ones, `0` for any digit: an expression takes several times as long. */
const WHOLE_SECONDS = '0000-00-00T00:00:00';
const MILLISECONDS = '0000-00-00T00:00:00.000';

/** Prisma's driver adapters leave the zone out. */
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

/** Years of other than four digits, and those before Christ, are no dates to Prisma, or other ones. */
function dateOf(text: string): Date {
  const date = new Date(FOUR_DIGITS.test(text) ? text : Number.NaN);
  return Number.isNaN(date.getTime()) ? decline('a date that JavaScript does not have') : date;
}

const FOUR_DIGITS = /^\d{4}-/;

function enumDecoder(values: ReadonlyMap<string, string> = new Map()): Decode {
  const names = new Map<unknown, string>([...values].map(([name, stored]) => [stored, name]));
  return (value) => names.get(value) ?? decline('a value of an enum that the schema does not know');
}

/** A list that is null reads as an empty one. */
function listOf(decode: Decode = (item) => item): Decode {
  return (value) => listIn(value).map((item) => (item === null ? decline('null in a list') : decode(item)));
}

/** The items of a list that is sent; of null there are none. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function requireText(value: unknown): string {
  return typeof value === 'string' ? value : decline('a value that is sent as no text');
}
