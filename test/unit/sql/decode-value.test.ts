import { describe, expect, it } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { StoredField } from '../../../lib/model/storage/storage.js';
import { carriedOf } from '../../../lib/sql/decode-value.js';

function decoded(type: StoredField['type'], text: string, native?: string): unknown {
  const field = { name: 'field', type, list: false, ...(native !== undefined && { nativeType: [native, []] }) };
  // The decoder reads these members of a field alone.
  const { decode } = carriedOf(field as unknown as StoredField);
  return decode?.(text);
}

describe('the texts of values that are read in SQL', () => {
  it('are those of decimal.js', () => {
    const digits = (most: number) => fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 1, maxLength: most });
    const anyNumeric = fc
      .tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.option(digits(30)))
      .map(([sign, integer, fraction]) => `${sign}${integer}${fraction === null ? '' : `.${fraction}`}`)
      .filter((text) => !/^-[0.]*$/.test(text));
    const anySmall = fc.tuple(fc.constantFrom('', '-'), digits(12)).map(([sign, rest]) => `${sign}0.00000${rest}1`);
    fc.assert(
      fc.property(fc.oneof(anyNumeric, anySmall, fc.constantFrom('NaN', 'Infinity', '-Infinity', '0', '0.00', '10', '100.10')), (text) => {
        expect(decoded('Decimal', text)).toBe(new Decimal(text).toJSON());
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time that grows with the digits of a Decimal, not with their square', () => {
    // On 40,000 zeros before a one, a regular expression for trailing zeros takes 800 million steps.
    const text = `1.${'0'.repeat(40_000)}1`;
    const start = performance.now();
    for (let round = 0; round < 20; round++) expect(decoded('Decimal', text)).toBe(text);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it.each([
    ['2026-01-02T03:04:05', undefined, '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.1', undefined, '2026-01-02T03:04:05.100Z'],
    ['2026-01-02T03:04:05.123999', undefined, '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05.12+00:00', 'Timestamptz', '2026-01-02T03:04:05.120Z'],
    ['2026-01-02T03:04:05-08', 'Timestamptz', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02', 'Date', '2026-01-02T00:00:00.000Z'],
    ['03:04:05.123999', 'Time', '1970-01-01T03:04:05.123Z'],
    ['24:00:00', 'Time', '1970-01-02T00:00:00.000Z'],
    ['03:04:05+02', 'Timetz', '1970-01-01T03:04:05.000Z'],
    ['03:04:05.6-08:30', 'Timetz', '1970-01-01T03:04:05.600Z'],
  ])('are those of a Date: %s %s', (text, native, expected) => {
    expect(decoded('DateTime', text, native)).toBe(expected);
  });

  it.each([
    ['infinity', undefined],
    ['12026-01-02T03:04:05', undefined],
    ['0044-03-15T00:00:00 BC', undefined],
    ['12026-01-02', 'Date'],
    ['0044-03-15 BC', 'Date'],
  ])('are left to Prisma where they are no Date, or one of another year: %s %s', (text, native) => {
    expect(() => decoded('DateTime', text, native)).toThrow('a date that JavaScript does not have');
  });

  it('are the digits of a BigInt', () => {
    expect(decoded('BigInt', '9223372036854775807')).toBe('9223372036854775807');
  });
});
