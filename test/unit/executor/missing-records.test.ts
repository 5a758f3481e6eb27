import { Decimal } from 'decimal.js';
import { missingRecords } from '../../../lib/executor/missing-records.js';
import type { WantedRecord } from '../../../lib/executor/plan.js';
import type { StoredField, StoredModel } from '../../../lib/model/storage/storage.js';

const date = new Date('2026-01-02T03:04:05Z');

function wanted(key: WantedRecord['key']): WantedRecord {
  return { key, detail: 'There is none.' };
}

/** A model with fields of these types, such as `DateTime` and `String @db.Char`. */
function modelOf(types: Readonly<Record<string, string>>): StoredModel {
  const fields = Object.entries(types).map(([name, text]) => {
    const [type, native] = text.split(' @db.');
    return [name, { name, type, ...(native !== undefined && { nativeType: [native, []] }) } as unknown as StoredField] as const;
  });
  return { model: 'Thing', fields: new Map(fields) } as unknown as StoredModel;
}

describe('missingRecords', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['Int', 1, 1, true],
    ['Int', 1, 2, false],
    ['String', 'a', 'a', true],
    ['String', 'a', 'A', false],
    ['String', 'a', 'a ', false],
    ['String', '1.50', '1.5', false],
    ['String', null, undefined, false],
    ['String', null, 0, false],
    ['String', null, 'null', false],
    ['Boolean', 'true', true, false],
    ['String @db.Char', 'a', 'a  ', true],
    ['String @db.Char', 'a\t', 'a  ', false],
    ['BigInt', 7n, 7, true],
    ['BigInt', 7n, '7', true],
    ['DateTime', date, new Date(date), true],
    ['DateTime', date, new Date(0), false],
    ['DateTime', date, date.toISOString(), true],
    ['DateTime', date, '2026-01-02T03:04:05.001Z', false],
    ['DateTime', '2026-01-02T04:04:05+01:00', date, true],
    ['DateTime', new Date('0099-01-01T00:00:00Z'), '0099-01-01T00:00:00.000Z', true],
    ['DateTime', new Date(Number.NaN), date, false],
    ['DateTime @db.Date', date, '2026-01-02T00:00:00.000Z', true],
    ['DateTime @db.Date', date, '2026-01-03T00:00:00.000Z', false],
    ['DateTime @db.Time', date, '1970-01-01T03:04:05.000Z', true],
    ['DateTime @db.Time', date, '1970-01-01T03:04:06.000Z', false],
    ['Decimal', new Decimal('1.50'), '1.5', true],
    ['Decimal', '1.50', '1.5', true],
    ['Decimal', new Decimal('1.5'), '1.50', true],
    ['Decimal', '1.5', new Decimal('1.50'), true],
    ['Decimal', '15e-1', '1.5', true],
    ['Decimal', new Decimal('1e30'), '1000000000000000000000000000000', true],
    ['Decimal', new Decimal('0'), '-0', true],
    ['Decimal', new Decimal('12345678901234567890123456789.1'), '12345678901234567890123456789.2', false],
    ['Decimal', new Decimal('1.50'), new Decimal('1.51'), false],
    ['Bytes', Uint8Array.of(1, 2), Buffer.from([1, 2]), true],
    ['Bytes', Uint8Array.of(1, 2), Uint8Array.of(1, 3), false],
  ])('compares as %s %p with %p', (type, value, stored, same) => {
    expect(missingRecords(modelOf({ id: type }), [wanted({ id: value })], [{ id: stored }])).toHaveLength(same ? 0 : 1);
  });

  it('compares all fields of a key, and keys of other fields apart', () => {
    const rows = [
      { a: 'x', b: 'y,z', c: 1 },
      { a: 'x,y', b: 'w', c: 2 },
    ];
    const there = [wanted({ a: 'x', b: 'y,z' }), wanted({ c: 2 }), wanted({ b: 'w', a: 'x,y' })];
    const missing = [wanted({ a: 'x,y', b: 'z' }), wanted({ a: 'x', b: 'w' }), wanted({ c: 3 })];
    expect(missingRecords(modelOf({ a: 'String', b: 'String', c: 'Int' }), [...there, ...missing], rows)).toEqual(missing);
  });

  it('reads each of a thousand rows a constant number of times', () => {
    let reads = 0;
    const rows = Array.from({ length: 1000 }, (_, id) => ({
      get id() {
        reads++;
        return id;
      },
    }));
    const records = Array.from({ length: 1000 }, (_, id) => wanted({ id: id + 500 }));
    expect(missingRecords(modelOf({ id: 'Int' }), records, rows)).toHaveLength(500);
    expect(reads).toBeLessThan(5000);
  });
});
