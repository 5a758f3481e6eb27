import { Decimal } from 'decimal.js';
import type { StoredField, StoredModel } from '../model/storage/storage.js';
import { fieldNamed } from '../query/fields.js';
import { toIsoString } from '../utils/to-iso-string.js';
import type { WantedRecord } from './plan.js';

type Key = WantedRecord['key'];

/**
 * Returns the wanted records that are not among the rows. Values are compared as the database does, by the type of their field. The client may write
 * a number as `1.50` or a date with a time, and the format of values in rows depends on the executor.
 */
export function missingRecords(model: StoredModel, wanted: readonly WantedRecord[], rows: readonly Key[]): readonly WantedRecord[] {
  const found = new Map<string, ReadonlySet<string>>();
  return wanted.filter(({ key }) => {
    const fields = Object.keys(key).map((name) => fieldNamed(model, name));
    const group = JSON.stringify(Object.keys(key));
    const texts = found.get(group) ?? new Set(rows.map((row) => keyText(fields, row)));
    found.set(group, texts);
    return !texts.has(keyText(fields, key));
  });
}

function keyText(fields: readonly StoredField[], key: Key): string {
  return JSON.stringify(fields.map((field) => storedText(field, key[field.name])));
}

/** Returns the same text for all values that a column stores as one value. */
export function storedText({ type, nativeType }: StoredField, value: unknown): string {
  if (type === 'Decimal' && (isText(value) || Decimal.isDecimal(value))) return numberText(value);
  if (type === 'DateTime' && (typeof value === 'string' || value instanceof Date)) return dateText(valueText(new Date(value)), nativeType);
  return nativeType?.[0] === 'Char' && typeof value === 'string' ? valueText(withoutBlanks(value)) : valueText(value);
}

/** Removes the trailing blanks with which PostgreSQL pads a `char(n)`. */
function withoutBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end--;
  return text.slice(0, end);
}

/** Returns the part of a date that a column of its type stores. */
function dateText(text: string, [type]: readonly [name?: string, ...others: unknown[]] = []): string {
  if (type === 'Date') return text.split('T')[0] ?? text;
  return type === 'Time' || type === 'Timetz' ? (text.split('T')[1] ?? text) : text;
}

/**
 * Returns a value as text. Two values of a field have the same text exactly if they are equal, whichever executor has returned them. SQL returns
 * dates, BigInts and Decimals as text.
 */
export function valueText(value: unknown): string {
  if (isText(value)) return `text ${value}`;
  if (value instanceof Date) return `text ${Number.isNaN(value.getTime()) ? 'no date' : toIsoString(value)}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`;
  return Decimal.isDecimal(value) ? `text ${value.toString()}` : JSON.stringify(value);
}

function isText(value: unknown): value is string | number | bigint {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/** Returns the same text for all notations of a number, such as `1.5` and `1.50`. */
function numberText(value: string | number | bigint | Decimal): string {
  const number = new Decimal(value.toString());
  return number.isZero() ? '0' : number.toString();
}
