import { describe, expect, it } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { Resource } from '../../../lib/model/surface/surface.js';
import { encodeResult } from '../../../lib/wire/encode-result.js';
import { sample } from '../../support/sample.js';
import { attributeOf } from '../model/attribute-of.js';
import { anyModel, anyRow, type RandomModel } from './random-model.js';
import {
  anyBytes,
  anyKey,
  anyKeyWithBackslash,
  anyScalar,
  anyValue,
  deepFreeze,
  overTheWire,
  superjson,
  superjson1,
  superjsonWithoutBytes,
} from './reference.js';

const anyModelAndRows = anyModel.chain((model) => fc.tuple(fc.constant(model), fc.array(anyRow(model, 2), { maxLength: 4 })));

describe('encodeResult', () => {
  it('writes the json and values that superjson writes, for any value', () => {
    fc.assert(
      fc.property(anyValue(anyKeyWithBackslash), (value) => {
        expectSame(encodeResult(value, undefined, 'base64'), superjson.serialize(value));
      }),
      { numRuns: sample.choose(100, 500) },
    );
  });

  it('writes the json and values that superjson writes, for the rows of any model', () => {
    fc.assert(
      fc.property(anyModelAndRows, ([{ resource }, rows]) => {
        expectSame(encodeResult(rows, resource, 'base64'), superjson.serialize(rows));
        expectSame(encodeResult(rows[0], resource, 'base64'), superjson.serialize(rows[0]));
      }),
      { numRuns: sample.choose(60, 300) },
    );
  });

  it('writes bytes as superjson does without the custom type, where the client wants it', () => {
    fc.assert(
      fc.property(anyValue(anyKey, fc.oneof(anyBytes, anyScalar)), (value) => {
        expectSame(encodeResult(value, undefined, 'typed-array'), superjsonWithoutBytes.serialize(value));
      }),
    );
  });

  it.each([
    ['a text in another form', { bigint: 'x' }, undefined],
    ['a key that superjson forbids in paths', { prototype: '7' }, undefined],
    ['the wire form', { bigint: '7' }, { values: { bigint: ['bigint'] } }],
  ])('of the text of an SQL read: %s', (_, row, serialization) => {
    const field = attributeOf('BigInt');
    const fields = new Map([field, { ...field, name: 'prototype' }].map((one) => [one.name, one]));
    // The encoder reads these members alone.
    const resource = { fields, computed: [] } as unknown as Resource;
    expect(encodeResult(row, resource, 'base64')).toMatchObject({ json: row });
    expect(encodeResult(row, resource, 'base64').serialization).toEqual(serialization);
  });

  it('is read by superjson 2.2', () => {
    fc.assert(
      fc.property(anyValue(anyKeyWithBackslash), (value) => {
        const { json, serialization } = encodeResult(value, undefined, 'base64');
        expect(superjson.deserialize(overTheWire({ json, meta: serialization }) as never)).toStrictEqual(value);
      }),
      { numRuns: sample.choose(100, 500) },
    );
  });

  it('is read by superjson 1.13', () => {
    fc.assert(
      fc.property(anyValue(anyKey), (value) => {
        const { json, serialization } = encodeResult(value, undefined, 'base64');
        expect(superjson1.deserialize(overTheWire({ json, meta: serialization }) as never)).toStrictEqual(value);
      }),
      { numRuns: sample.choose(100, 500) },
    );
  });

  it('never mutates a value', () => {
    fc.assert(
      fc.property(anyModelAndRows, ([{ resource }, rows]) => {
        expect(() => encodeResult(deepFreeze(rows), resource, 'base64')).not.toThrow();
      }),
    );
  });

  it('returns no metadata, and the value itself, where JSON has all of its types', () => {
    const rows = [{ id: 1, tags: ['a', null], author: { name: 'Ann' } }];
    expect(encodeResult(rows, undefined, 'base64')).toStrictEqual({ json: rows });
    expect(encodeResult(rows, undefined, 'base64').json).toBe(rows);
  });

  it.each([
    ['null', null, { json: null }],
    ['a number', 0, { json: 0 }],
    ['false', false, { json: false }],
    ['an empty list', [], { json: [] }],
    ['a bigint', 5n, { json: '5', serialization: { values: ['bigint'] } }],
    ['a decimal', new Decimal('1.5'), { json: '1.5', serialization: { values: [['custom', 'Decimal']] } }],
    ['undefined', undefined, { json: null, serialization: { values: ['undefined'] } }],
  ])('takes %s for a whole result', (_, value, encoded) => {
    expect(encodeResult(value, undefined, 'base64')).toStrictEqual(encoded);
  });

  it('writes a version only where superjson would read a path otherwise without it', () => {
    const dotted = encodeResult({ 'a.b': 1n }, undefined, 'base64');
    expect(dotted.serialization).toStrictEqual({ values: { 'a\\.b': ['bigint'] } });
    const backslash = encodeResult({ 'a\\b': 1n }, undefined, 'base64');
    expect(backslash.serialization).toStrictEqual({ values: { 'a\\\\b': ['bigint'] }, v: 1 });
  });

  it('writes no references, and each of two equal values in full', () => {
    const date = new Date(0);
    const { json, serialization } = encodeResult([date, date], undefined, 'base64');
    expect(json).toEqual([date.toISOString(), date.toISOString()]);
    expect(serialization).toStrictEqual({ values: { 0: ['Date'], 1: ['Date'] } });
  });

  it('returns Json fields themselves, without reading them, in related rows too', () => {
    const json = unreadable();
    const { resource } = modelWithJson();
    const { json: rows } = encodeResult([{ settings: json, at: new Date(0), parent: { settings: json } }], resource, 'base64');
    expect((rows as [Record<string, unknown>])[0]['settings']).toBe(json);
    expect((rows as [{ parent: Record<string, unknown> }])[0].parent['settings']).toBe(json);
  });

  it('annotates the value of a computed field that replaces a Json value', () => {
    const { resource } = modelWithJson();
    const { serialization } = encodeResult({ settings: new Date(0), name: 5n }, resource, 'base64');
    expect(serialization?.values).toEqual({ settings: ['Date'], name: ['bigint'] });
  });

  it('walks aggregates, whose keys are not in the model', () => {
    const { resource } = modelWithJson();
    const result = { _count: { _all: 2 }, _sum: { name: 5n }, _avg: { name: new Decimal('2.5') }, _max: { at: new Date(0) } };
    expect(encodeResult(result, resource, 'base64')).toStrictEqual({
      json: { _count: { _all: 2 }, _sum: { name: '5' }, _avg: { name: '2.5' }, _max: { at: '1970-01-01T00:00:00.000Z' } },
      serialization: { values: { '_sum.name': ['bigint'], '_avg.name': [['custom', 'Decimal']], '_max.at': ['Date'] } },
    });
  });

  it.each(['__proto__', 'constructor', 'prototype'])('keeps a key called %s, without metadata that superjson would refuse', (key) => {
    const value = JSON.parse(`{"plain":1,"${key}":{"deep":{"list":[1]}}}`) as Record<string, { deep: { list: unknown[] } }>;
    value[key]?.deep.list.push(5n);
    const { json, serialization } = encodeResult({ value, at: new Date(0) }, undefined, 'base64');
    expect(JSON.stringify(json)).toBe(`{"value":{"plain":1,"${key}":{"deep":{"list":[1,"5"]}}},"at":"1970-01-01T00:00:00.000Z"}`);
    expect(serialization?.values).toEqual({ at: ['Date'] });
    expect(superjson.deserialize({ json, meta: serialization } as never)).toHaveProperty('at', new Date(0));
    expect(({} as { deep?: unknown }).deep).toBeUndefined();
  });

  it('walks objects without a prototype, and a proxy of a row as Prisma extensions hand it out', () => {
    const bare = Object.assign(Object.create(null) as object, { at: new Date(0) });
    const proxy = new Proxy({ id: 1n }, { get: (row, key) => (key === 'id' ? 2n : Reflect.get(row, key)) });
    expect(encodeResult([bare, proxy], undefined, 'base64').serialization?.values).toEqual({ '0.at': ['Date'], '1.id': ['bigint'] });
    expect(overTheWire(encodeResult([bare, proxy], undefined, 'base64').json)).toEqual([{ at: new Date(0).toJSON() }, { id: '2' }]);
  });

  it('rejects an invalid date, naming the field and the row', () => {
    const { resource } = modelWithJson();
    expect(() => encodeResult([{ name: 'x', at: new Date(NaN) }], resource, 'base64')).toThrow(
      "'Thing.at' of the row x is a date that JSON",
    );
    expect(() => encodeResult({ _max: { at: new Date(NaN) } }, resource, 'base64')).toThrow('A result is a date that JSON');
  });

  it('writes -0 as 0', () => {
    expect(JSON.stringify(encodeResult([-0, { a: -0 }], undefined, 'base64'))).toBe('{"json":[0,{"a":0}]}');
  });

  it('leaves other objects to JSON.stringify', () => {
    class Money {
      readonly at = new Date(0);
    }
    const value = { money: new Money(), run: (): number => 1 };
    expect(overTheWire(encodeResult(value, undefined, 'base64'))).toStrictEqual({
      json: { money: { at: new Date(0).toJSON() } },
    });
  });
});

function expectSame(ours: ReturnType<typeof encodeResult>, theirs: ReturnType<typeof superjson.serialize>): void {
  expect(ours.json).toStrictEqual(theirs.json);
  expect(ours.serialization?.values).toStrictEqual(theirs.meta?.values);
}

function modelWithJson(): RandomModel {
  const fields = new Map<string, unknown>([
    ['settings', { kind: 'attribute', name: 'settings', type: 'Json' }],
    ['name', { kind: 'attribute', name: 'name', type: 'String' }],
    ['at', { kind: 'attribute', model: 'Thing', name: 'at', type: 'DateTime' }],
  ]);
  // The encoder reads these members alone.
  const resource = { model: 'Thing', fields, identifier: { name: 'name', fields: [{ name: 'name' }] } } as unknown as Resource;
  fields.set('parent', { kind: 'relationship', name: 'parent', many: false, target: resource });
  return { resource };
}

/** Returns a Json value that throws when it is read. */
function unreadable(): object {
  const refuse = (): never => {
    throw new Error('A Json value was looked into.');
  };
  return new Proxy({}, { get: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
}
