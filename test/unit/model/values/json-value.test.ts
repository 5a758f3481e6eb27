import { describe, expect, it } from '@jest/globals';
import { DbNull as PrismaDbNull, isObjectEnumValue } from '@prisma/client-runtime-utils';
import {
  ANY_NULL,
  DB_NULL,
  isJsonNull,
  isStorableJson,
  JSON_NULL,
  MAX_JSON_DEPTH,
  nullForJson,
} from '../../../../lib/model/values/json-value.js';
import type { Attribute } from '../../../../lib/model/surface/surface.js';

describe('the nulls of a Json field', () => {
  it.each([
    ['DbNull', DB_NULL],
    ['JsonNull', JSON_NULL],
    ['AnyNull', ANY_NULL],
  ])("are replaced by Prisma's: %s", (name, marker) => {
    expect(isObjectEnumValue(marker)).toBe(true);
    expect((marker as { _getName(): string })._getName()).toBe(name);
    expect(JSON.parse(JSON.stringify(marker))).toEqual({ $type: 'Enum', value: name });
  });

  it('differ from every value that a client can send', () => {
    expect([DB_NULL, JSON_NULL, ANY_NULL].every(isJsonNull)).toBe(true);
    expect([null, {}, 'DbNull', { $type: 'Enum', value: 'DbNull' }, PrismaDbNull].some(isJsonNull)).toBe(false);
  });

  it.each([
    ['the NULL of an optional field', { optional: true, list: false }, DB_NULL],
    ['the JSON value null of a required field', { optional: false, list: false }, JSON_NULL],
    ['the JSON value null as an element of a list', { optional: true, list: true }, JSON_NULL],
  ])('null means %s', (_, attribute, expected) => {
    expect(nullForJson(attribute as Attribute)).toBe(expected);
  });
});

describe('isStorableJson', () => {
  const STORABLE: readonly unknown[] = [
    null,
    0,
    '',
    false,
    [],
    {},
    { constructor: 1, meta: { a: [null] } },
    { $type: 'FieldRef' },
    { _ref: 'a', _container: 'B' },
    [new Date()],
  ];
  it.each(STORABLE.map((value) => ({ value })))('takes $value', ({ value }) => {
    expect(isStorableJson(value)).toBe(true);
  });

  it('refuses what Prisma would put into the query unescaped, at any depth', () => {
    const raw = { __prismaRawParameters__: true, values: { $type: 'FieldRef', value: { _ref: 'secret', _container: 'User' } } };
    for (const value of [raw, [raw], { a: [{ b: raw }] }]) expect(isStorableJson(value)).toBe(false);
  });

  it('refuses lone surrogates, in texts and in keys', () => {
    for (const value of ['\ud800', ['a\udc00b'], { a: [{ b: '\ud800' }] }, { '\ud800': 1 }]) expect(isStorableJson(value)).toBe(false);
    expect(isStorableJson({ '\u{1f600}': ['\u{1f600}'] })).toBe(true);
  });

  it('refuses numbers that JSON would write as null', () => {
    for (const value of [1e400, [-1e400], { a: [{ b: Number.NaN }] }]) expect(isStorableJson(value)).toBe(false);
    expect(isStorableJson([Number.MAX_VALUE, -0])).toBe(true);
  });

  it('refuses a value that is nested too deep, without recursion', () => {
    expect(isStorableJson(nested(MAX_JSON_DEPTH))).toBe(true);
    expect(isStorableJson(nested(MAX_JSON_DEPTH + 1))).toBe(false);
    expect(isStorableJson(nested(100_000))).toBe(false);
  });
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
}
