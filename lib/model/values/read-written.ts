import { Decimal } from 'decimal.js';
import { readJson, type Reading, type TypedField } from './scalar-types.js';

/**
 * Reads a value that is written, as {@link readJson} does. A Decimal has to fit the digits of its column: the database would round it.
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

/** The most digits of a Decimal column before and after its decimal point. */
interface Digits {
  readonly whole: number;
  readonly fraction: number;
}

/** Undefined for a column without a precision. The `Money` of PostgreSQL has two digits after the point, and that of SQL Server four. */
function digitsOf({ nativeType: [name, args] = ['', []], lacks }: TypedField): Digits | undefined {
  if (name === 'Money' && lacks) return { whole: 17, fraction: 2 };
  const [precision, scale = 0] = name === 'Decimal' || name === 'Numeric' ? args.map(Number) : [];
  return precision === undefined ? undefined : { whole: precision - scale, fraction: scale };
}

function fitsDigits(text: string, { whole, fraction }: Digits): boolean {
  const value = new Decimal(text);
  return value.decimalPlaces() <= fraction && (value.isZero() || value.e < whole);
}
