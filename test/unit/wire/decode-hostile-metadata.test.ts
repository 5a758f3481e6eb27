import { describe, expect, it } from '@jest/globals';
import { decode } from '../../../lib/wire/decode.js';
import { faultOf, valueOf } from './decoded.js';

describe('decode against hostile metadata', () => {
  const json: unknown = JSON.parse(
    '{"text":"x","n":1,"nil":null,"list":["1",2],"o":{"k":"5"},"__proto__":{"x":"5"},"constructor":{"prototype":{"x":"5"}},"prototype":"5"}',
  );
  const date = ['Date'];
  const bigint = ['bigint'];

  it.each<[label: string, serialization: unknown, fault: string]>([
    // Paths to a prototype, own members of these names included.
    ['a prototype', { values: { '__proto__.x': bigint } }, "'__proto__.x'"],
    ['a nested prototype', { values: { 'o.__proto__.x': bigint } }, "'o.__proto__.x'"],
    ['a prototype by nesting', { values: { o: JSON.parse('{"__proto__":{"x":["bigint"]}}') } }, "'o.__proto__'"],
    ['a prototype by an own key', { values: JSON.parse('{"__proto__":["bigint"]}') }, "'__proto__'"],
    ['a constructor', { values: { 'constructor.prototype.x': bigint } }, "'constructor.prototype.x'"],
    ['a constructor of a list', { values: { 'list.constructor': bigint } }, "'list.constructor'"],
    ['prototype', { values: { prototype: bigint } }, "'prototype'"],
    ['an escaped spelling', { values: { '__proto__\\.x': bigint } }, "'__proto__\\.x'"],
    ['a reference to a prototype', { referentialEqualities: { o: ['__proto__.x'] } }, "refers to '__proto__.x'"],
    ['a reference from a prototype', { referentialEqualities: { '__proto__': 0, 'constructor.prototype': ['o'] } }, 'refers to'],
    // Paths that lead to no own value.
    ['an inherited member', { values: { toString: bigint } }, "'toString'"],
    ['an inherited member of a list', { values: { 'list.map': bigint } }, "'list.map'"],
    ['the length of a list', { values: { 'list.length': bigint } }, "'list.length'"],
    ['an index beyond a list', { values: { 'list.2': ['undefined'] } }, "'list.2'"],
    ['another spelling of an index', { values: { 'list.00': bigint } }, "'list.00'"],
    ['a negative index', { values: { 'list.-1': bigint } }, "'list.-1'"],
    ['a character of a text', { values: { 'text.0': bigint } }, "'text.0', which is not the path of a value"],
    ['a member of null', { values: { 'nil.x': bigint } }, "'nil.x'"],
    ['a member that is not there', { values: { 'o.none': ['undefined'] } }, "'o.none'"],
    ['the empty path', { values: { '': bigint } }, "names '', which"],
    ['a malformed path', { values: { 'o\\k': bigint }, v: 1 }, "'o\\k'"],
    ['a reference to nothing', { referentialEqualities: { o: ['none'] } }, "refers to 'none'"],
    ['a reference to a lost value', { referentialEqualities: { o: ['nil'] } }, "refers to 'nil'"],
    ['a reference that is no path', { referentialEqualities: { o: [5] } }, 'refers to no path, where'],
    ['a reference to the root', { referentialEqualities: [['o']] }, 'referentialEqualities of a form'],
    // Types beyond the allow-list.
    ['a class', { values: { o: [['class', 'User']] } }, "gives 'o' the type 'class/User'; accepted are Date, bigint"],
    ['a regular expression', { values: { text: ['regexp'] } }, "gives 'text' the type 'regexp'"],
    ['an Error', { values: { o: ['Error'] } }, "the type 'Error'"],
    ['a URL', { values: { text: ['URL'] } }, "the type 'URL'"],
    ['a set', { values: { list: ['set'] } }, "the type 'set'"],
    ['a set with values inside', { values: { list: ['set', { 0: bigint }] } }, "the type 'set'"],
    ['a map', { values: { list: ['map'] } }, "the type 'map'"],
    ['a symbol', { values: { text: [['symbol', 'x']] } }, "the type 'symbol/x'"],
    ['an unknown custom type', { values: { text: [['custom', 'Money']] } }, "the type 'custom/Money'"],
    ['another typed array', { values: { list: [['typed-array', 'Float64Array']] } }, "the type 'typed-array/Float64Array'"],
    ['a type named like a member of every object', { values: { text: ['constructor'] } }, "the type 'constructor'"],
    ['a composite type in one string', { values: { text: ['custom/Bytes'] } }, "the type 'custom/Bytes'"],
    ['a type that is no string', { values: { text: [5] } }, 'of an unknown form'],
    ['a type that is an object', { values: { text: [{ length: 2 }] } }, 'of an unknown form'],
    ['no type', { values: { text: [] } }, 'of an unknown form'],
    ['a custom type whose name is no string', { values: { text: [['custom', 5]] } }, 'of an unknown form'],
    ['a custom type without a name', { values: { text: [['custom']] } }, 'of an unknown form'],
    ['a custom type with more than a name', { values: { text: [['custom', 'Bytes', 'x']] } }, 'of an unknown form'],
    ['values inside a scalar', { values: { 'o.k': ['bigint', { x: date }] } }, "'bigint' and values inside it"],
    // Values that are not of their type.
    ['a date that is none', { values: { text: date } }, "gives 'text' the type 'Date', but its value is not an ISO 8601 date"],
    ['the whole value as a date', { values: date }, 'gives the whole value the type'],
    ['a number as bigint', { values: { n: bigint } }, "gives 'n' the type 'bigint', but its value is not an integer in a string"],
    ['an object as bigint', { values: { o: bigint } }, "gives 'o' the type 'bigint'"],
    ['a value as undefined', { values: { text: ['undefined'] } }, "gives 'text' the type 'undefined', but its value is not null"],
    ['a plain number as a special one', { values: { n: ['number'] } }, "gives 'n' the type 'number'"],
    ['one value twice', { values: { 'o.k': bigint, 'o': { k: bigint } } }, "gives 'o.k' the type 'bigint'"],
    ['a list of texts as bytes', { values: { list: [['typed-array', 'Uint8Array']] } }, "the type 'typed-array/Uint8Array'"],
    // Metadata without the form of superjson's.
    ['a string', 'values', 'is not an object'],
    ['a list', [], 'is not an object'],
    ['values that are no tree', { values: 5 }, 'is malformed'],
    ['a tree that ends in a string', { values: { text: 'Date' } }, "is malformed at 'text'"],
    ['a tree that ends in null', { values: { text: null } }, "is malformed at 'text'"],
    ['an unknown member', { values: {}, class: 'x' }, "an unknown member 'class'"],
    ['an own __proto__', JSON.parse('{"__proto__":{"values":{}}}'), "an unknown member '__proto__'"],
    ['an unknown version', { values: {}, v: 2 }, 'unknown version'],
  ])('refuses %s, naming place and type', (_, serialization, fault) => {
    const before = [snapshot(json), snapshot(serialization), prototypes()];
    expect(faultOf(decode(json, serialization))).toContain(fault);
    expect([snapshot(json), snapshot(serialization), prototypes()]).toEqual(before);
  });

  it('truncates a long path in its message', () => {
    expect(faultOf(decode({}, { values: { [`a${'b'.repeat(100_000)}`]: date } })).length).toBeLessThan(300);
    expect(faultOf(decode({ a: 1 }, { values: { a: ['x'.repeat(100_000)] } })).length).toBeLessThan(500);
  });

  it('quotes at most 100 characters of a path', () => {
    const faultAt = (path: string): string => faultOf(decode({}, { values: { [path]: date } }));
    expect(faultAt('a'.repeat(100))).toContain(`'${'a'.repeat(100)}'`);
    expect(faultAt('a'.repeat(101))).toContain(`'${'a'.repeat(100)}…'`);
  });

  it('keeps own members of dangerous names beside revived values', () => {
    const value = valueOf(decode(json, { values: { 'o.k': bigint } })) as object;
    expect(Object.keys(value)).toEqual(Object.keys(json as object));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect((value as { x?: unknown }).x).toBeUndefined();
  });
});

describe('decode of large inputs', () => {
  const DEPTH = 100_000;

  it.each([
    [51, { value: expect.anything() }],
    [52, { fault: expect.stringContaining('is malformed at') }],
  ])('takes trees nested 50 times below their root, of %d levels', (levels, decoded) => {
    const json: unknown = JSON.parse(`${'{"a":'.repeat(levels)}"5"${'}'.repeat(levels)}`);
    const values: unknown = JSON.parse(`${'{"a":'.repeat(levels)}["bigint"]${'}'.repeat(levels)}`);
    expect(decode(json, { values })).toEqual(decoded);
  });

  it('follows one path of any depth', () => {
    const json: unknown = JSON.parse(`${'{"a":'.repeat(DEPTH)}"5"${'}'.repeat(DEPTH)}`);
    const path = Array.from({ length: DEPTH }, () => 'a').join('.');
    let value = valueOf(decode(json, { values: { [path]: ['bigint'] } }));
    while (typeof value === 'object') value = (value as { a: unknown }).a;
    expect(value).toBe(5n);
  });

  it('copies a wide value once for any number of paths into it', () => {
    const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}`);
    const wide = { rows: Object.fromEntries(keys.map((key) => [key, '5'])) };
    const value = valueOf(decode(wide, { values: Object.fromEntries(keys.map((key) => [`rows.${key}`, ['bigint']])) }));
    expect((value as { rows: object }).rows).toHaveProperty('k29999', 5n);
  });

  it.each([
    ['trees', '{"a":', '}'],
    ['lists of types', '[', ']'],
    ['values inside scalars', '["bigint",{"a":', '}]'],
  ])('refuses %s nested without end', (_, open, close) => {
    const json: unknown = JSON.parse(`${'{"a":'.repeat(DEPTH)}"5"${'}'.repeat(DEPTH)}`);
    const values: unknown = JSON.parse(`${open.repeat(DEPTH)}["bigint"]${close.repeat(DEPTH)}`);
    expect(faultOf(decode(json, { values })).length).toBeLessThan(500);
  });

  it.each([
    ['Date', `2024-01-01T00:00:00.${'0'.repeat(1e6)}`],
    ['bigint', `${'1'.repeat(1e6)}x`],
    [['custom', 'Decimal'], `${'1'.repeat(1e6)}x`],
    [['custom', 'Bytes'], `${'A'.repeat(1e6 - 1)}-`],
  ])('refuses a megabyte that is no %j', (type, text) => {
    expect(faultOf(decode({ a: text }, { values: { a: [type] } }))).toContain('but its value is not');
  });
});

/** Own `__proto__` keys included, which toEqual would overlook. */
function snapshot(value: unknown): string {
  return JSON.stringify(value);
}

/** All that pollution of the process could add to. */
function prototypes(): readonly unknown[] {
  return [Object, Array, Function, String, Date, Map, Set, Uint8Array].flatMap((constructor) => [
    Object.getOwnPropertyNames(constructor),
    Object.getOwnPropertyNames(constructor.prototype),
  ]);
}
