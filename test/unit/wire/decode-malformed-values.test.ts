import { describe, expect, it } from '@jest/globals';
import { decode } from '../../../lib/wire/decode.js';
import { faultOf } from './decoded.js';

describe('decode of malformed values', () => {
  it.each<[type: unknown, refused: readonly unknown[]]>([
    [
      'Date',
      [
        '',
        'now',
        '1',
        '2024',
        '2024-1-1',
        '2024-13-01',
        '2024-02-30',
        '2023-02-29T00:00:00Z',
        '2024-01-01T25:00:00Z',
        '2024-01-01T10:00:00',
        '2024-01-01 10:00:00Z',
        'Mon, 01 Jan 2024 00:00:00 GMT',
        ' 2024-01-01',
        '2024-01-01\n',
        '-000000-01-01T00:00:00Z',
        '+999999-01-01T00:00:00Z',
        1704067200000,
        null,
        true,
        {},
        ['2024-01-01'],
      ],
    ],
    ['bigint', ['', '1abc', ' 1', '1 ', '1.0', '1e3', '0x10', '+1', '--1', '-', '1n', '1\n', '9'.repeat(10_001), 1, null, true, [], ['1']]],
    ['number', ['', '1', '0', 'nan', '+Infinity', '-NaN', 1, null, {}]],
    ['undefined', ['', 0, false, 'undefined', {}]],
    [
      ['custom', 'Decimal'],
      ['', '.', '-', '1,5', '1.5.0', ' 1', '1e', 'e5', '0x1', '+1', '-NaN', 'nan', 'infinity', '1\n', 1.5, null, {}, ['1']],
    ],
    [
      ['custom', 'Bytes'],
      ['A', 'AQI', '====', 'AQ=ID', '-_-_', 'AQ\nID', 5, null, [1], {}],
    ],
    [
      ['typed-array', 'Uint8Array'],
      ['AQI=', 5, null, {}, { 0: 1, length: 1 }, [256], [-1], [1.5], ['1'], [null], [[1]]],
    ],
    [
      ['typed-array', 'Buffer'],
      ['AQI=', { type: 'Buffer', data: [1] }, [256]],
    ],
  ])('refuses, as %j, a value of another form', (type, refused) => {
    for (const value of refused) {
      expect([value, faultOf(decode({ a: value }, { values: { a: [type] } }))]).toEqual([
        value,
        expect.stringContaining('but its value is not'),
      ]);
    }
  });

  it.each<[type: unknown, json: unknown, value: unknown]>([
    ['Date', '2024-02-29', new Date(Date.UTC(2024, 1, 29))],
    ['Date', '2024-02-29T23:59:59.123456Z', new Date(Date.UTC(2024, 1, 29, 23, 59, 59, 123))],
    ['Date', '2024-02-29T23:30-01:00', new Date(Date.UTC(2024, 2, 1, 0, 30))],
    ['Date', '-000001-01-01T00:00:00.000Z', new Date('-000001-01-01T00:00:00.000Z')],
    ['bigint', '-0', 0n],
    ['bigint', '007', 7n],
    ['number', '-0', -0],
    ['number', 'NaN', NaN],
    ['undefined', null, undefined],
    [['custom', 'Decimal'], '1e+40', '1e+40'],
    [['custom', 'Decimal'], '-.5', '-.5'],
    [['custom', 'Decimal'], 'NaN', 'NaN'],
    [['custom', 'Decimal'], '-Infinity', '-Infinity'],
    [['custom', 'Bytes'], '', new Uint8Array()],
    [['typed-array', 'Uint8Array'], [], new Uint8Array()],
  ])('reads, as %j, %j', (type, json, value) => {
    expect(decode({ a: json }, { values: { a: [type] } })).toStrictEqual({ value: { a: value } });
  });
});
