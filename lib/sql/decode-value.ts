import { Decimal } from 'decimal.js';
import type { StoredField } from '../model/storage/storage.js';
import { decline } from './declined.js';
import { requireUsual } from './parameter.js';

/** Converts a JSON value to the value that Prisma returns for the field. */
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
  requireUsual(field);
  const one = CARRIED[field.type](field);
  if (!field.list) return one;
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
