import { describe, expect, it } from '@jest/globals';
import { Decimal } from 'decimal.js';
import { SCALAR_TEXTS } from '../../../lib/wire/scalar-text.js';

type TypeName = keyof typeof SCALAR_TEXTS;

const DATE = new Date(Date.UTC(2024, 0, 31, 1, 2, 3, 4));

describe('the JSON text of a scalar', () => {
  it.each<[TypeName, value: unknown, text: string]>([
    ['String', 'a"b', String.raw`"a\"b"`],
    ['Enum', 'A', '"A"'],
    ['Boolean', false, 'false'],
    ['Int', 7, '7'],
    ['Float', -1.5, '-1.5'],
    ['BigInt', 7n, '"7"'],
    ['BigInt', '-7', '"-7"'],
    ['Decimal', new Decimal('1.5'), '"1.5"'],
    ['Decimal', '1.50', '"1.50"'],
    ['Decimal', '1e+30', '"1e+30"'],
    ['Decimal', 'NaN', '"NaN"'],
    ['Decimal', '-Infinity', '"-Infinity"'],
    ['DateTime', DATE, '"2024-01-31T01:02:03.004Z"'],
    ['DateTime', '2024-01-31T01:02:03.004Z', '"2024-01-31T01:02:03.004Z"'],
    ['DateTime', '+012024-01-31T01:02:03.004Z', '"+012024-01-31T01:02:03.004Z"'],
    ['Bytes', Uint8Array.of(1, 2), '"AQI="'],
    ['Bytes', 'AQI=', '"AQI="'],
    ['Json', { a: [1] }, '{"a":[1]}'],
  ])('of the type %s, of %p', (type, value, text) => {
    expect(SCALAR_TEXTS[type](value)).toBe(text);
  });

  const ODD = [null, undefined, true, 7, Number.NaN, 7n, 'ä', {}, [], new Date(Number.NaN), DATE, new Decimal('1.5'), Uint8Array.of(1)];

  it.each<[TypeName, has: readonly unknown[]]>([
    ['String', ['ä']],
    ['Enum', ['ä']],
    ['Boolean', [true]],
    ['Int', [7]],
    ['Float', [7]],
    ['BigInt', [7n]],
    ['Decimal', [new Decimal('1.5')]],
    ['DateTime', [DATE]],
    ['Bytes', [Uint8Array.of(1)]],
  ])('of the type %s exists only for values of the type', (type, has) => {
    expect(ODD.filter((value) => SCALAR_TEXTS[type](value) !== undefined)).toEqual(has);
  });

  it.each<[TypeName, refused: readonly string[]]>([
    ['BigInt', ['1.5', '', '1n', '2024-01-31T01:02:03.004Z', ' 1', '1"']],
    ['Decimal', ['', '1.', '.5', '1e5', 'Infinity"', '-NaN', '2024-01-31T01:02:03.004Z']],
    ['DateTime', ['', '2024-01-31', '2024-01-31T01:02:03Z', '2024-01-31T01:02:03.004Z"', '12024-01-31T01:02:03.004Z']],
    ['Bytes', ['A"', 'AQ===', '-_', 'A A']],
  ])('of the type %s does not exist for a text in another form', (type, refused) => {
    expect(refused.filter((text) => SCALAR_TEXTS[type](text) !== undefined)).toEqual([]);
  });
});
