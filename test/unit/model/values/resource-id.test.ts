import { describe, expect, it } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { Attribute, UniqueKey } from '../../../../lib/model/surface/surface.js';
import { formatId, parseId, uniqueWhere } from '../../../../lib/model/values/resource-id.js';
import { attributeOf } from '../attribute-of.js';

const INT = keyWith(attributeOf('Int'));
const STRING = keyWith(attributeOf('String'));
const UUID = keyWith(attributeOf('String', ['Uuid', []]));
const PAIR = keyWith({ ...attributeOf('String'), name: 'team' }, { ...attributeOf('Int'), name: 'userId' });
const STRINGS = keyWith({ ...attributeOf('String'), name: 'a' }, { ...attributeOf('String'), name: 'b' });

describe('formatId', () => {
  it.each([
    [INT, { int: 1 }, 1],
    [keyWith(attributeOf('Float')), { float: 1.5 }, 1.5],
    [keyWith(attributeOf('BigInt')), { bigint: 1n }, '1'],
    [keyWith(attributeOf('Decimal')), { decimal: new Decimal('1.50') }, '1.5'],
    [keyWith(attributeOf('Boolean')), { boolean: false }, 'false'],
    [keyWith(attributeOf('DateTime')), { datetime: new Date('2024-01-31T10:00:00Z') }, '2024-01-31T10:00:00.000Z'],
    [keyWith(attributeOf('Bytes')), { bytes: new Uint8Array([255, 239]).subarray(1) }, '7w=='],
    [STRING, { string: 'a_b\\c' }, 'a_b\\c'],
    [PAIR, { team: 'red', userId: 7 }, 'red_7'],
    [PAIR, { team: 'a_b\\', userId: -7 }, 'a\\_b\\\\_-7'],
    [STRINGS, { a: '', b: '' }, '_'],
  ])('returns the native number of an Int or Float id, else a string: %#', (key, row, id) => {
    expect(formatId(key, row, '_')).toBe(id);
  });
});

describe('parseId', () => {
  it.each([
    [INT, '1', { int: 1 }],
    [STRING, 'a_b\\c', { string: 'a_b\\c' }],
    [PAIR, 'red_7', { team: 'red', userId: 7 }],
    [PAIR, 'a\\_b\\\\_-7', { team: 'a_b\\', userId: -7 }],
    [STRINGS, '_', { a: '', b: '' }],
  ])('reads the values by field name: %#', (key, text, values) => {
    expect(parseId(key, text, '_')).toEqual(values);
  });

  it.each([
    [INT, '1abc'],
    [INT, ''],
    [INT, '01'],
    [INT, '1_2'],
    [INT, '\0'],
    [INT, '9'.repeat(10_000)],
    [UUID, 'abc'],
    [STRING, 'a\0'],
    [PAIR, ''],
    [PAIR, 'red'],
    [PAIR, 'red_7_8'],
    [PAIR, 'red_x'],
    [PAIR, 'red_7\\'],
    [PAIR, 're\\d_7'],
    [PAIR, '__proto___7'],
  ])('returns undefined for a text that cannot be an id: %#', (key, text) => {
    expect(parseId(key, text, '_')).toBeUndefined();
  });
});

describe('an id', () => {
  /** Values of every type that can be part of a key, with the attribute that has them. */
  const PARTS = fc.oneof(
    fc
      .string({ unit: fc.constantFrom('a', '_', '-', '\\', '~', '.', '/', '😀', 'é', ' ') })
      .map((value) => [attributeOf('String'), value] as const),
    fc.integer().map((value) => [attributeOf('Int'), value] as const),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((value) => [attributeOf('BigInt'), value] as const),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => [attributeOf('Float'), value === 0 ? 0 : value] as const),
    fc.boolean().map((value) => [attributeOf('Boolean'), value] as const),
    fc
      .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
      .map((value) => [attributeOf('DateTime'), value] as const),
    fc.uint8Array().map((value) => [attributeOf('Bytes'), value] as const),
    fc.uuid().map((value) => [attributeOf('String', ['Uuid', []]), value] as const),
    fc.constantFrom('READER', 'A_B').map((value) => [attributeOf('Enum', undefined, ['READER', 'A_B']), value] as const),
    fc.integer({ min: -999, max: 999 }).map((value) => [attributeOf('Decimal'), new Decimal(value).div(8).toString()] as const),
  );
  const DIVIDERS = fc.constantFrom('_', '__', '-', '--', '~', '_-', '😀', ':', 'a');

  it('is parsed to the formatted values, for keys of any types, parts and dividers', () => {
    fc.assert(
      fc.property(fc.array(PARTS, { minLength: 1, maxLength: 4 }), DIVIDERS, (parts, divider) => {
        const key = keyWith(...parts.map(([attribute], index) => ({ ...attribute, name: `part${index}` })));
        const row = Object.fromEntries(parts.map(([, value], index) => [`part${index}`, value]));
        expect(parseId(key, String(formatId(key, row, divider)), divider)).toEqual(row);
      }),
      { numRuns: 1000 },
    );
  });

  it('differs for different records', () => {
    const word = fc.string({ unit: fc.constantFrom('a', '_', '\\'), maxLength: 4 });
    const record = fc.record({ a: word, b: word });
    fc.assert(
      fc.property(record, record, DIVIDERS, (one, other, divider) => {
        fc.pre(one.a !== other.a || one.b !== other.b);
        expect(formatId(STRINGS, one, divider)).not.toBe(formatId(STRINGS, other, divider));
      }),
      { numRuns: 1000 },
    );
  });

  it('has one text only, because each parsed text is formatted back to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '1', '0', '-', '_', '\\') }), (text) => {
        const values = parseId(PAIR, text, '_');
        if (values) expect(formatId(PAIR, values, '_')).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('uniqueWhere', () => {
  it('addresses a record by a single field', () => {
    expect(uniqueWhere(INT, { int: 1 })).toEqual({ int: 1 });
  });

  it('addresses a record by the name of a compound key, with its fields only', () => {
    expect(uniqueWhere({ ...PAIR, name: 'membership' }, { team: 'red', userId: 7, other: 1 })).toEqual({
      membership: { team: 'red', userId: 7 },
    });
  });
});

function keyWith(...fields: readonly Attribute[]): UniqueKey {
  return { name: fields.map(({ name }) => name).join('_'), fields };
}
