import { Decimal } from 'decimal.js';
import type { StoredField } from '../model/storage/storage.js';
import { toIsoString } from '../utils/to-iso-string.js';
import { decline } from './declined.js';
import { requireUsual } from './parameter.js';

/** Converts a JSON value to the value that Prisma returns for the field, or to the text of that value in a response, which is faster. */
export type Decode = (value: unknown) => unknown;

/** How a value is sent, so that nothing of it is lost in JSON: numbers that it has no exact form for as text, bytes in base64. */
export type Sent = 'plain' | 'text' | 'texts' | 'base64' | 'base64s';

/** How the values of a field are sent, and how they are decoded. */
interface Carried {
  readonly sent: Sent;
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
  return { sent: one.sent === 'plain' ? 'plain' : `${one.sent as 'text' | 'base64'}s`, decode: listOf(one.decode) };
}

const CARRIED: Readonly<Record<StoredField['type'], (field: StoredField) => Carried>> = {
  String: () => ({ sent: 'plain' }),
  Boolean: () => ({ sent: 'plain' }),
  Int: () => ({ sent: 'plain' }),
  BigInt: () => ({ sent: 'text', decode: (value) => BigInt(value as string) }),
  Float: () => ({ sent: 'plain', decode: (value) => Number(value) }),
  Decimal: () => ({ sent: 'text', decode: (value) => new Decimal(value as string) }),
  DateTime: (field) => ({ sent: 'plain', decode: dateDecoder(field) }),
  Json: () => ({ sent: 'plain' }),
  Bytes: () => ({ sent: 'base64', decode: (value) => bytesOf(value as string) }),
  Enum: ({ enumType }) => ({ sent: 'plain', decode: enumDecoder(enumType?.values ?? new Map<string, string>()) }),
};

/** The texts that single values become in an answer. */
const TEXTS: Readonly<Partial<Record<StoredField['type'], (field: StoredField) => { readonly decode: Decode }>>> = {
  BigInt: () => ({ decode: (value) => value }),
  Decimal: () => ({ decode: (value) => decimalText(value as string) }),
  DateTime: (field) => {
    const decode = dateDecoder(field);
    return { decode: (value) => dateText(value as string) ?? toIsoString(decode(value) as Date) };
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
  const [, seconds, fraction = ''] = TIMESTAMP.exec(text) ?? [];
  return seconds === undefined ? undefined : `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

/** Prisma's driver adapters leave the zone out. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:[+-]\d\d(?::\d\d)?)?$/;

function dateDecoder({ nativeType }: StoredField): Decode {
  const [type] = nativeType ?? [];
  if (type === 'Date') return (value) => dateOf(value as string);
  const before = type === 'Time' || type === 'Timetz' ? '1970-01-01T' : '';
  // Prisma's driver adapters ignore the time zone.
  const hasZone = type === 'Timetz' || type === 'Timestamptz';
  return (value) => dateOf(`${before}${hasZone ? (value as string).replace(ZONE, '') : (value as string)}Z`);
}

const ZONE = /[+-]\d{2}(?::\d{2})?$/;

/** Years of other than four digits, and those before Christ, are no dates to Prisma, or other ones. */
function dateOf(text: string): Date {
  const date = new Date(FOUR_DIGITS.test(text) ? text : Number.NaN);
  return Number.isNaN(date.getTime()) ? decline('a date that JavaScript does not have') : date;
}

const FOUR_DIGITS = /^\d{4}-/;

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** Undefined if the names of the values are what the database stores. */
function enumDecoder(values: ReadonlyMap<string, string>): Decode {
  const names = new Map([...values].map(([name, stored]) => [stored, name]));
  return (value) => names.get(value as string) ?? decline('a value of an enum that the schema does not know');
}

/** A list that is null reads as an empty one. */
function listOf(decode: Decode | undefined): Decode {
  return (value) =>
    ((value ?? []) as readonly unknown[]).map((item) => (item === null ? decline('null in a list') : decode ? decode(item) : item));
}
