import { Decimal } from 'decimal.js';
import { missingRecords } from '../../../lib/data-client/missing-records.js';
import type { WantedRecord } from '../../../lib/data-client/plan.js';

const date = new Date('2026-01-02T03:04:05Z');

function wanted(key: WantedRecord['key']): WantedRecord {
  return { key, detail: 'There is none.' };
}

describe('missingRecords', () => {
  it.each<[unknown, unknown, boolean]>([
    [1, 1, true],
    [1, 2, false],
    ['a', 'a', true],
    ['a', 'A', false],
    [1, '1', true],
    [7n, 7, true],
    [7n, '7', true],
    ['1.50', '1.5', false],
    [null, undefined, false],
    [null, 0, false],
    [null, 'null', false],
    ['true', true, false],
    [date, new Date(date), true],
    [date, new Date(0), false],
    [date, date.toISOString(), false],
    [new Decimal('1.50'), '1.5', true],
    [new Decimal('1.5'), '1.50', true],
    ['1.5', new Decimal('1.50'), true],
    [new Decimal('1e30'), '1000000000000000000000000000000', true],
    [new Decimal('0'), '-0', true],
    [new Decimal('12345678901234567890123456789.1'), '12345678901234567890123456789.2', false],
    [new Decimal('1.50'), new Decimal('1.51'), false],
    [Uint8Array.of(1, 2), Buffer.from([1, 2]), true],
    [Uint8Array.of(1, 2), Uint8Array.of(1, 3), false],
  ])('compares %p with %p', (value, stored, same) => {
    expect(missingRecords([wanted({ id: value })], [{ id: stored }])).toHaveLength(same ? 0 : 1);
  });

  it('compares all fields of a key, and keys of other fields apart', () => {
    const rows = [
      { a: 'x', b: 'y,z', c: 1 },
      { a: 'x,y', b: 'w', c: 2 },
    ];
    const there = [wanted({ a: 'x', b: 'y,z' }), wanted({ c: 2 }), wanted({ b: 'w', a: 'x,y' })];
    const missing = [wanted({ a: 'x,y', b: 'z' }), wanted({ a: 'x', b: 'w' }), wanted({ c: 3 })];
    expect(missingRecords([...there, ...missing], rows)).toEqual(missing);
  });

  it('reads each of a thousand rows a few times, not once for each of a thousand records', () => {
    let reads = 0;
    const rows = Array.from({ length: 1000 }, (_, id) => ({
      get id() {
        reads++;
        return id;
      },
    }));
    const records = Array.from({ length: 1000 }, (_, id) => wanted({ id: id + 500 }));
    expect(missingRecords(records, rows)).toHaveLength(500);
    expect(reads).toBeLessThan(5000);
  });
});
