import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readDateTime } from '../../../lib/utils/read-date-time.js';

describe('readDateTime', () => {
  it.each([
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
    ['2024-01-31T10:00+02:00', '2024-01-31T08:00:00.000Z'],
    ['2024-01-31T10:00:00.123456789Z', '2024-01-31T10:00:00.123Z'],
    ['2024-01-31', '2024-01-31T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('reads %s', (text, iso) => {
    expect(readDateTime(text)?.toISOString()).toBe(iso);
  });

  it.each([
    ['no text', ['', ' ', 'x', '1', '1700000000000', 'Jan 1 2023']],
    [
      'days that no calendar has',
      ['2023-02-30', '2023-02-30T00:00:00Z', '2023-02-29', '1900-02-29', '2023-04-31', '2023-01-00', '2023-01-32'],
    ],
    ['months that no calendar has', ['2023-00-10', '2023-13-01']],
    ['hours that no clock has', ['2023-01-01T24:00:00Z', '2023-01-01T00:60:00Z', '2023-01-01T00:00:60Z', '2023-01-01T00:00:00+24:00']],
    ['local times without a zone', ['2023-01-01T00:00:00', '2023-01-01T00:00']],
    ['other formats', ['2023-1-1', '2023-01-01 00:00:00Z', '2023-01-01T00:00:00z', '20230101', '2023-01-01T00:00:00Z\n', '2023-W01']],
    ['a + that a URL made a space', ['2023-01-01T00:00:00 02:00']],
    [
      'years that not every database has',
      ['0000-01-01', '+010000-01-01T00:00:00Z', '0001-01-01T00:00:00+05:00', '9999-12-31T23:59:59-01:00'],
    ],
    ['what is neither text nor a valid Date', [0, null, undefined, {}, [], new Date(Number.NaN), new Date(8.64e15), { toISOString: 1 }]],
  ] as const)('refuses %s', (_, values) => {
    for (const value of values) expect([value, readDateTime(value)]).toEqual([value, undefined]);
  });

  it('reads back every date as it is written', () => {
    const dates = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        expect(readDateTime(date.toISOString())).toEqual(date);
        expect(readDateTime(date)).toBe(date);
      }),
    );
  });

  it('accepts exactly the days that the calendar has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }), (...parts) => {
        const [year, month, day] = parts;
        const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
        const rolled = new Date(0);
        rolled.setUTCFullYear(year, month - 1, day);
        expect(readDateTime(text) !== undefined).toBe(rolled.toISOString().startsWith(text));
      }),
      { numRuns: 1000 },
    );
  });
});

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
