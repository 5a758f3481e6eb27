import { Decimal } from 'decimal.js';
import { isSameValue } from '../../../lib/data-client/is-same-value.js';

const date = new Date('2026-01-02T03:04:05Z');

describe('isSameValue', () => {
  it.each<[unknown, unknown, boolean]>([
    [1, 1, true],
    [1, 2, false],
    ['a', 'a', true],
    [1, '1', true],
    [7n, 7, true],
    [7n, '7', true],
    [null, undefined, false],
    [null, 0, false],
    ['true', true, false],
    [date, new Date(date), true],
    [date, new Date(0), false],
    [date, date.toISOString(), false],
    [new Decimal('1.50'), '1.5', true],
    ['1.5', new Decimal('1.50'), true],
    [new Decimal('1.50'), new Decimal('1.51'), false],
    [Uint8Array.of(1, 2), Buffer.from([1, 2]), true],
    [Uint8Array.of(1, 2), Uint8Array.of(1, 3), false],
  ])('compares %p with %p', (left, right, same) => {
    expect(isSameValue(left, right)).toBe(same);
  });
});
