import { describe, expect, it } from '@jest/globals';
import { Decimal as PrismaDecimal } from '@prisma/client/runtime/client';
import { Decimal } from 'decimal.js';
import { annotationOf, encodeScalar } from '../../../lib/wire/encode-scalar.js';

describe('encodeScalar and annotationOf', () => {
  it.each<[label: string, value: unknown, encoded: readonly [json: unknown, annotation: unknown]]>([
    ['a Date', new Date(0), ['1970-01-01T00:00:00.000Z', ['Date']]],
    ['a Date beyond the year 9999', new Date(8.64e15), ['+275760-09-13T00:00:00.000Z', ['Date']]],
    ['a bigint', 9007199254740993n, ['9007199254740993', ['bigint']]],
    ['a decimal', new Decimal('0.10'), ['0.1', [['custom', 'Decimal']]]],
    ['a decimal of the copy inside Prisma', new PrismaDecimal('-0'), ['-0', [['custom', 'Decimal']]]],
    ['bytes', new Uint8Array([1, 2, 255]), ['AQL/', [['custom', 'Bytes']]]],
    ['a Buffer', Buffer.from('hi'), ['aGk=', [['custom', 'Bytes']]]],
    ['undefined', undefined, [null, ['undefined']]],
    ['NaN', NaN, ['NaN', ['number']]],
    ['Infinity', Infinity, ['Infinity', ['number']]],
    ['-Infinity', -Infinity, ['-Infinity', ['number']]],
  ])('writes %s', (_, value, [json, annotation]) => {
    expect(encodeScalar(value, 'base64')).toBe(json);
    expect(annotationOf(value, 'base64')).toEqual(annotation);
  });

  it.each([['text'], [''], [0], [1.5], [true], [false], [null]])('leaves %j to JSON', (value) => {
    expect(encodeScalar(value, 'base64')).toBe(value);
    expect(annotationOf(value, 'base64')).toBeUndefined();
  });

  it.each([[{ a: 1n }], [[1n]], [new Map([[1, 2]])], [/x/], [() => 1]])('returns %p, which is no scalar, itself', (value) => {
    expect(encodeScalar(value, 'base64')).toBe(value);
    expect(annotationOf(value, 'base64')).toBeUndefined();
  });

  it('writes an invalid Date as null, without an error, as JSON.stringify does', () => {
    expect(encodeScalar(new Date(NaN), 'base64')).toBeNull();
    expect(annotationOf(new Date(NaN), 'base64')).toBeUndefined();
  });

  it('does not encode a Json value that resembles a decimal', () => {
    const value = { toStringTag: '[object Decimal]', toJSON: 'x' };
    expect(encodeScalar(value, 'base64')).toBe(value);
    expect(annotationOf(value, 'base64')).toBeUndefined();
  });

  it.each([
    ['bytes', new Uint8Array([1, 255])],
    ['a Buffer, under the name that superjson can read', Buffer.from([1, 255])],
  ])("writes %s as superjson's typed array where the client wants it", (_, value) => {
    expect(encodeScalar(value, 'typed-array')).toEqual([1, 255]);
    expect(annotationOf(value, 'typed-array')).toEqual([['typed-array', 'Uint8Array']]);
  });
});
