import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SecondChanceCache } from '../../../lib/utils/second-chance-cache.js';

describe('SecondChanceCache', () => {
  it('removes the least recently used entry', () => {
    const map = new SecondChanceCache<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });

  it('replaces a value in its place', () => {
    const map = new SecondChanceCache<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
  });

  const capacities = fc.integer({ min: 1, max: 5 });
  const uses = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });

  it('holds as much as its capacity and never more, and what was set last', () => {
    fc.assert(
      fc.property(capacities, uses, (capacity, keys) => {
        const map = new SecondChanceCache<number, number>(capacity);
        for (const key of keys) {
          if (map.get(key) === undefined) map.set(key, -key);
          expect(map.get(key)).toBe(-key);
        }
        expect(map.size).toBe(Math.min(capacity, new Set(keys).size));
      }),
    );
  });

  it('keeps an entry that is read between any others', () => {
    fc.assert(
      fc.property(capacities, uses, (capacity, keys) => {
        const map = new SecondChanceCache<number, number>(capacity + 1);
        map.set(-1, -1);
        for (const key of keys) {
          expect(map.get(-1)).toBe(-1);
          map.set(key, key);
        }
      }),
    );
  });

  it('holds no more than a weight, and nothing that alone weighs more', () => {
    const weights = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 12 })), { maxLength: 60 });
    fc.assert(
      fc.property(weights, (entries) => {
        const map = new SecondChanceCache<number, number>(10, (_, weight) => weight);
        for (const [key, weight] of entries) {
          map.set(key, weight);
          expect(map.get(key)).toBe(weight > 10 ? undefined : weight);
          const held = [...new Set(entries.map(([one]) => one))].flatMap((one) => map.get(one) ?? []);
          expect(held.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(10);
        }
      }),
    );
  });
});
