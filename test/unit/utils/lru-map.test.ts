import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LruMap } from '../../../lib/utils/lru-map.js';

describe('LruMap', () => {
  it('lets go of what was used least recently', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });

  it('replaces a value in its place', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
  });

  it('holds what was used last, and never more than its capacity', () => {
    const uses = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), uses, (capacity, keys) => {
        const map = new LruMap<number, number>(capacity);
        for (const key of keys) if (map.get(key) === undefined) map.set(key, key);
        const last = [...new Set([...keys].reverse())].slice(0, capacity);
        expect(map.size).toBe(last.length);
        expect(last.map((key) => map.get(key))).toEqual(last);
      }),
    );
  });
});
