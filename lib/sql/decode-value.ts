import { Decimal } from 'decimal.js';
import type { StoredField } from '../model/storage/storage.js';
import { toIsoString } from '../utils/to-iso-string.js';
import { decline } from './declined.js';
import { requireUsual } from './parameter.js';

/** Converts a JSON value to the value that Prisma returns for the field, or to the text of that value in a response, which is faster. */
export type Decode = (value: unknown) => unknown;

/** How a column is selected, and how its values are decoded. */
export interface Carried {
  /** The expression that is selected. Numbers that are not exact in JSON are selected as text. */
  readonly expression: (column: string) => string;
  /** Absent if the JSON value is what Prisma returns. */
  readonly decode?: Decode;
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
  if (field.type === 'Bytes') return { expression: bytesList, decode: listOf(one.decode) };
  return { expression: isText(field) ? (column) => `${column}::text[]` : asIs, decode: listOf(one.decode) };
}

const asIs: Carried['expression'] = (column) => column;
const asText: Carried['expression'] = (column) => `${column}::text`;
const bytesList: Carried['expression'] = (column) => `(SELECT json_agg(encode("bytes", 'base64')) FROM unnest(${column}) AS "bytes")`;

function isText({ type }: StoredField): boolean {
  return type === 'BigInt' || type === 'Decimal';
}

const CARRIED: Readonly<Record<StoredField['type'], (field: StoredField) => Carried>> = {
  String: () => ({ expression: asIs }),
  Boolean: () => ({ expression: asIs }),
  Int: () => ({ expression: asIs }),
  BigInt: () => ({ expression: asText, decode: (value) => BigInt(value as string) }),
  Float: () => ({ expression: asIs, decode: (value) => Number(value) }),
  Decimal: () => ({ expression: asText, decode: (value) => new Decimal(value as string) }),
  DateTime: (field) => ({ expression: asIs, decode: dateDecoder(field) }),
  Json: () => ({ expression: asIs }),
  Bytes: () => ({ expression: (column) => `encode(${column}, 'base64')`, decode: (value) => bytesOf(value as string) }),
  Enum: ({ enumType }) => ({ expression: asIs, decode: enumDecoder(enumType?.values ?? new Map<string, string>()) }),
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
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
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
  // Prisma's driver adapters ignore the time zone.
  if (type === 'Timestamptz') return (value) => dateOf((value as string).replace(ZONE, 'Z'));
  return (value) => dateOf(`${value as string}Z`);
}

const ZONE = /[+-]\d{2}(?::\d{2})?$/;

function dateOf(text: string): Date {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? decline('a date that JavaScript does not have') : date;
}

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
