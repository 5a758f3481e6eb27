import { describe, expect, it } from '@jest/globals';
import { uniqueWhere, whereOfIds } from '../../../lib/admin-data/ids.js';
import { toFieldValue } from '../../../lib/admin-data/values.js';
import { fieldOf, modelOf } from './described-models.js';

describe('toFieldValue', () => {
  it.each<[type: string, text: string, value: unknown]>([
    ['Int', '7', 7],
    ['Int', '-7', -7],
    ['Float', '1.50', 1.5],
    ['Float', '1e3', 1000],
    ['Float', '0.1', 0.1],
    ['Float', '9007199254740992', 9007199254740992],
    ['BigInt', '9007199254740993', 9007199254740993n],
    ['DateTime', '2026-02-28', new Date(Date.UTC(2026, 1, 28))],
    ['DateTime', '2026-02-28T10:00+02:00', new Date(Date.UTC(2026, 1, 28, 8))],
    ['DateTime', '2026-02-28T10:00', new Date(2026, 1, 28, 10)],
    ['DateTime', '2026-02-28T10:00:30.5', new Date(2026, 1, 28, 10, 0, 30, 500)],
  ])('reads of a %s the text %j', (type, text, value) => {
    expect(toFieldValue(fieldOf(type), text)).toEqual(value);
  });

  it.each<[type: string, text: string]>([
    ...['1e3', '0x3e8', '007', '1.0', '1 ', ' 1', '0b11', '', '+1', '-0', '9007199254740993'].map(
      (text) => ['Int', text] as [string, string],
    ),
    ...['0x3e8', '007', '.5', '1 ', '1e400', '1e-400', 'NaN', '9007199254740993', '0.10000000000000000555'].map(
      (text) => ['Float', text] as [string, string],
    ),
    ...['007', '-0', '1n', '0x1', ''].map((text) => ['BigInt', text] as [string, string]),
    ...['2026-02-31', '2026-02-31T10:00', '5', 'foo 7', '2026-01', '2026-01-02 10:00', '2026-01-02T25:00', '2026-01-02T', '01/02/2026'].map(
      (text) => ['DateTime', text] as [string, string],
    ),
  ])('leaves it to the server to refuse of a %s the text %j', (type, text) => {
    expect(toFieldValue(fieldOf(type), text)).toBe(text);
  });

  it('reads no time of a time zone for a day', () => {
    const day = fieldOf('DateTime', { format: 'date' });
    expect(toFieldValue(day, '2026-02-28')).toEqual(new Date(Date.UTC(2026, 1, 28)));
    expect(toFieldValue(day, '2026-02-28T00:30')).toBe('2026-02-28T00:30');
  });
});

describe('ids', () => {
  const UUID = '0d6f5a1e-7b7c-4c3e-9a53-00000000000a';

  it.each<[type: string, more: object, id: string | number, value: unknown]>([
    ['Int', {}, '1000', 1000],
    ['Int', {}, 1000, 1000],
    ['Float', {}, '1e3', 1000],
    ['BigInt', {}, '9007199254740993', 9007199254740993n],
    ['Decimal', {}, '12.50', '12.50'],
    ['String', {}, '007', '007'],
    ['String', { format: 'uuid' }, UUID.toUpperCase(), UUID],
    ['Enum', { values: ['LOW'] }, 'LOW', 'LOW'],
    ['Boolean', {}, 'true', true],
    ['DateTime', {}, '2026-01-02T00:00:00.000Z', new Date(Date.UTC(2026, 0, 2))],
  ])('reads a key of %s %j from %j', (type, more, id, value) => {
    expect(uniqueWhere(id, modelOf([fieldOf(type, more)]))).toEqual({ value });
  });

  it.each<[type: string, more: object, ids: readonly (string | number)[]]>([
    [
      'Int',
      {},
      ['1e3', '0x3e8', '007', '1.0', '1 ', ' 1', '0b11', '+1', '-0', '', '4294967296', '-2147483649', '9007199254740993', 1.5, NaN],
    ],
    ['Float', {}, ['0x3e8', '007', '1 ', '9007199254740993']],
    ['BigInt', {}, ['007', '1e3', ' 1', '18446744073709551616', '-9223372036854775809']],
    ['Decimal', {}, ['x', '1 ', '01', '0x1']],
    ['String', { format: 'uuid' }, ['x', `${UUID} `]],
    ['Enum', { values: ['LOW'] }, ['low', '']],
    ['Boolean', {}, ['1', 'TRUE']],
    ['DateTime', {}, ['foo 7', '5', '2026-02-31', '2026-01-02T10:00', '2026']],
  ])('finds no record by a key of %s %j', (type, more, ids) => {
    const model = modelOf([fieldOf(type, more)]);
    for (const id of ids) expect(() => uniqueWhere(id, model)).toThrow(expect.objectContaining({ status: 404 }));
    expect(whereOfIds(ids, model)).toEqual({ value: { in: [] } });
  });

  it('reads each part of a compound key so', () => {
    const model = modelOf([fieldOf('Int', { name: 'a' }), fieldOf('DateTime', { name: 'b' })]);
    expect(uniqueWhere('1_2026-01-02', model)).toEqual({ a_b: { a: 1, b: new Date(Date.UTC(2026, 0, 2)) } });
    for (const id of ['01_2026-01-02', '1_foo 7', '1']) expect(() => uniqueWhere(id, model)).toThrow(/There is no record/);
  });
});
