import { Decimal } from 'decimal.js';
import type { WantedRecord } from './plan.js';

type Key = WantedRecord['key'];

/**
 * The wanted records that are not among the rows. Values of a field are compared as the database compares them, whatever object stands for
 * them: dates by their time, decimals by their number (`'1.50'` is `1.5`), bytes by their content, integers whichever type holds them.
 */
export function missingRecords(wanted: readonly WantedRecord[], rows: readonly Key[]): readonly WantedRecord[] {
  const readText = keyTexts([...rows, ...wanted.map(({ key }) => key)]);
  const found = new Map<string, ReadonlySet<string>>();
  return wanted.filter(({ key }) => {
    const names = Object.keys(key);
    const group = JSON.stringify(names);
    const texts = found.get(group) ?? new Set(rows.map((row) => readText(row, names)));
    found.set(group, texts);
    return !texts.has(readText(key, names));
  });
}

/** Makes one text of the values of some fields. Two rows have the same text exactly if their values are equal. */
function keyTexts(rows: readonly Key[]): (row: Key, names: readonly string[]) => string {
  const decimals = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => Decimal.isDecimal(row[name]))));
  return (row, names) => JSON.stringify(names.map((name) => (decimals.has(name) ? numberText(row[name]) : valueText(row[name]))));
}

/** A value as text. Two values have the same text exactly if they are equal for the database. */
export function valueText(value: unknown): string {
  if (isText(value)) return `text ${value}`;
  if (value instanceof Date) return `date ${value.getTime()}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`;
  return JSON.stringify(value);
}

function isText(value: unknown): value is string | number | bigint {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/** One number can be written in several ways, e.g. `1.5` and `1.50`. */
function numberText(value: unknown): string {
  if (!isText(value) && !Decimal.isDecimal(value)) return valueText(value);
  const number = new Decimal(value.toString());
  return number.isZero() ? '0' : number.toString();
}
