import { Decimal } from 'decimal.js';
import { readJson, type Reading, type TypedField } from './scalar-types.js';

/**
 * Reads a value of a write, as {@link readJson} does. A Decimal with more digits than its column is rejected, because the database would
 * round it.
 *
 * @example
 * readWritten(price, '12.345'); // { expected: 'a decimal number with at most 8 digits before the decimal point and 2 after it' }
 */
export function readWritten(attribute: TypedField, value: unknown): Reading {
  const reading = readJson(attribute, value);
  const digits = 'value' in reading && attribute.type === 'Decimal' ? digitsOf(attribute) : undefined;
  if (!digits || !('value' in reading) || fitsDigits(String(reading.value), digits)) return reading;
  return {
    expected: `a decimal number with at most ${digits.whole} digits before the decimal point and ${digits.fraction} after it`,
  };
}

/**
 * Reads a value of a key by which a record is created or matched. As {@link readWritten}, and a date with more decimal places than its column is
 * rejected: the stored key is another one, which a look-up by the given value does not find.
 *
 * @example
 * readWrittenKey(startedAt, new Date('2026-01-01T00:00:00.600Z')); // of a `Timestamp(0)`: { expected: 'a date without fractions of a second' }
 */
export function readWrittenKey(attribute: TypedField, value: unknown): Reading {
  const reading = readWritten(attribute, value);
  const places = attribute.type === 'DateTime' ? Number(attribute.nativeType?.[1][0] ?? 3) : 3;
  if (places >= 3 || !('value' in reading) || !(reading.value instanceof Date)) return reading;
  if (reading.value.getTime() % 10 ** (3 - places) === 0) return reading;
  return { expected: places === 0 ? 'a date without fractions of a second' : `a date with at most ${places} decimal places` };
}

/** The maximum number of digits of a Decimal column before and after the decimal point. */
interface Digits {
  readonly whole: number;
  readonly fraction: number;
}

/** Returns the digits of a column; undefined without a precision. `Money` has two digits after the point on PostgreSQL, and four on SQL Server. */
function digitsOf({ nativeType: [name, args] = ['', []], lacks }: TypedField): Digits | undefined {
  if (name === 'Money' && lacks) return { whole: 17, fraction: 2 };
  const [precision, scale = 0] = name === 'Decimal' || name === 'Numeric' ? args.map(Number) : [];
  return precision === undefined ? undefined : { whole: precision - scale, fraction: scale };
}

function fitsDigits(text: string, { whole, fraction }: Digits): boolean {
  const value = new Decimal(text);
  return value.decimalPlaces() <= fraction && (value.isZero() || value.e < whole);
}
