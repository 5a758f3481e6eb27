import { describe, expect, it } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { SuperJSON } from 'superjson';
import { decode } from '../../../lib/wire/decode.js';
import { encodeResult } from '../../../lib/wire/encode-result.js';
import { faultOf, valueOf } from './decoded.js';
import {
  anyBytes,
  anyKey,
  anyKeyWithBackslash,
  anyValue,
  deepFreeze,
  overTheWire,
  reviveDecimal,
  superjson,
  superjson1,
  superjsonWithoutBytes,
} from './reference.js';

describe('decode', () => {
  it('reads back all that encodeResult writes, and mutates neither part', () => {
    fc.assert(
      fc.property(anyValue(anyKeyWithBackslash), (value) => {
        const { json, serialization } = deepFreeze(overTheWire(encodeResult(value, undefined, 'base64')));
        expect(decode(json, serialization, { reviveDecimal })).toStrictEqual({ value });
      }),
      { numRuns: 500 },
    );
  });

  it('reads all that superjson 2.2 writes, values used twice among them', () => {
    fc.assert(
      fc.property(anyValue(anyKeyWithBackslash), (value) => {
        const { json, meta } = overTheWire(superjson.serialize({ once: value, twice: value }));
        expect(decode(json, meta, { reviveDecimal })).toStrictEqual({ value: { once: value, twice: value } });
      }),
      { numRuns: 500 },
    );
  });

  it('reads all that superjson 1.13 writes', () => {
    // It does not escape the last key of a path, and so cannot read that path itself.
    const anyKeyWithoutDot = anyKey.filter((key) => !key.includes('.'));
    fc.assert(
      fc.property(anyValue(anyKeyWithoutDot), (value) => {
        const { json, meta } = overTheWire(superjson1.serialize(value));
        expect(decode(json, meta, { reviveDecimal })).toStrictEqual({ value });
      }),
      { numRuns: 500 },
    );
  });

  it("reads bytes in superjson's own form, as a client without the custom type sends them", () => {
    fc.assert(
      fc.property(anyValue(anyKey, anyBytes), (value) => {
        const { json, meta } = overTheWire(superjsonWithoutBytes.serialize(value));
        expect(decode(json, meta)).toStrictEqual({ value });
      }),
    );
    const { json, meta } = overTheWire(superjsonWithoutBytes.serialize({ blob: Buffer.from('hi') }));
    expect(meta?.values).toEqual({ blob: [['typed-array', 'Buffer']] });
    expect(decode(json, meta)).toStrictEqual({ value: { blob: new Uint8Array([104, 105]) } });
  });

  it('returns a value or the fault of the metadata, for any JSON as metadata', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (json, serialization) => {
        const decoded = decode(json, serialization);
        expect('fault' in decoded ? typeof decoded.fault : 'value').toMatch(/^(string|value)$/);
      }),
    );
  });

  it.each([[undefined], [null], [{}], [{ values: {} }], [{ values: {}, referentialEqualities: {}, v: 1 }]])(
    'returns the value itself where the metadata is %j',
    (serialization) => {
      const json = { a: 1 };
      expect(valueOf(decode(json, serialization))).toBe(json);
    },
  );

  it('leaves a decimal a string without the option reviveDecimal', () => {
    const metadata = { values: { a: [['custom', 'Decimal']] } };
    expect(decode({ a: '1.50' }, metadata)).toEqual({ value: { a: '1.50' } });
    expect(decode({ a: '1.50' }, metadata, { reviveDecimal })).toEqual({ value: { a: new Decimal('1.5') } });
  });

  it('returns unchanged parts themselves, and copies of changed ones', () => {
    const json = { left: { a: '1' }, right: { b: ['2'] } };
    const value = valueOf(decode(json, { values: { 'left.a': ['bigint'] } })) as typeof json;
    expect(value).toEqual({ left: { a: 1n }, right: { b: ['2'] } });
    expect(value.right).toBe(json.right);
    expect(json.left).toEqual({ a: '1' });
  });

  it.each([
    ['flat paths', { values: { 'a.b': ['bigint'], 'a.c.0': ['Date'] } }],
    ['nested trees', { values: { a: { b: ['bigint'], c: { 0: ['Date'] } } } }],
    ['both', { values: { 'a': { 'c.0': ['Date'] }, 'a.b': ['bigint'] }, v: 1 }],
  ])('reads %s', (_, serialization) => {
    const json = { a: { b: '5', c: ['2024-01-31T10:00:00+02:00'] } };
    expect(decode(json, serialization)).toStrictEqual({ value: { a: { b: 5n, c: [new Date('2024-01-31T08:00:00Z')] } } });
  });

  it('reads the paths of an array-like object, as a batch from existing clients', () => {
    const json = { 0: { op: 'create', args: { data: { at: '2024-01-31' } } } };
    expect(decode(json, { values: { '0.args.data.at': ['Date'] } })).toEqual({
      value: { 0: { op: 'create', args: { data: { at: new Date('2024-01-31') } } } },
    });
  });
});

describe('decode with alsoUnder', () => {
  const options = { alsoUnder: 'data' };

  it('accepts paths from the root and from that member, even mixed', () => {
    const json = { data: { at: '2024-01-31', author: { age: '5' } }, where: { id: '1' } };
    const values = { 'where.id': ['bigint'], 'at': ['Date'], 'author': { age: ['bigint'] } };
    expect(decode(json, { values }, options)).toEqual({
      value: { data: { at: new Date('2024-01-31'), author: { age: 5n } }, where: { id: 1n } },
    });
  });

  it('resolves a path from the root first', () => {
    expect(decode({ data: { id: '1' }, id: '2' }, { values: { id: ['bigint'] } }, options)).toEqual({
      value: { data: { id: '1' }, id: 2n },
    });
  });

  it('resolves paths inside a tree from the position of the tree alone', () => {
    const json = { author: { data: { age: '5' } } };
    expect(faultOf(decode(json, { values: { author: { age: ['bigint'] } } }, options))).toContain("'author.age', which is not the path");
  });

  it('resolves paths from the root alone without that option', () => {
    expect(faultOf(decode({ undefined: { id: '1' } }, { values: { id: ['bigint'] } }))).toContain("'id', which is not the path");
  });

  it.each([
    ['there is no such member', { id: '1' }],
    ['it is no object', { data: 'text' }],
  ])('refuses a path that leads nowhere when %s', (_, json) => {
    expect(faultOf(decode(json, { values: { at: ['Date'] } }, options))).toContain("'at', which is not the path of a value");
  });
});

describe('decode with values used twice', () => {
  const date = new Date(0);

  it.each([
    ['a Date', { gte: date, lt: date }],
    ['a bigint', { id: 5n, authorId: 5n }],
    ['an object', ((author) => ({ OR: [{ author }, { editor: author }] }))({ id: 1, since: date })],
  ])('reads %s that superjson has noted', (_, value) => {
    const { json, meta } = superjson.serialize(value);
    expect(meta?.referentialEqualities).toBeDefined();
    expect(decode(json, meta)).toStrictEqual({ value });
  });

  it('copies the value for each place', () => {
    const { json, meta } = superjson.serialize({ gte: date, lt: date });
    const { gte, lt } = valueOf(decode(json, meta)) as { gte: Date; lt: Date };
    expect(gte).not.toBe(lt);
  });

  it('refuses a value that the option dedupe has removed', () => {
    const author = { id: 1 };
    const { json, meta } = new SuperJSON({ dedupe: true }).serialize({ a: author, b: author });
    expect(faultOf(decode(json, meta))).toBe("The serialization metadata refers to 'b', where there is no value.");
  });

  it('refuses a value that contains itself', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const { json, meta } = superjson.serialize({ cycle });
    expect(faultOf(decode(json, meta))).toContain("refers to 'cycle.self'");
    const root = superjson.serialize(cycle);
    expect(faultOf(decode(root.json, root.meta))).toContain('of a form that is not accepted');
  });
});
