import { describe, expect, it } from '@jest/globals';
import { countNodes } from '../../../lib/wire/count-nodes.js';

describe('countNodes', () => {
  it.each<[unknown, number]>([
    [1, 0],
    [null, 0],
    [[], 0],
    [[null, 'a'], 2],
    [{ a: [1, { b: undefined }], c: {} }, 5],
    [{ at: new Date(0) }, 1],
  ])('counts what is in %j', (value, count) => {
    expect(countNodes(value)).toBe(count);
  });

  it('counts what nests deep', () => {
    expect(countNodes(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBe(99_999);
  });

  it('stops at the maximum', () => {
    const unseen = new Proxy([], {
      get: () => {
        throw new Error('was looked into');
      },
    });
    expect(countNodes([unseen, 1, 2], 2)).toBe(3);
    expect(countNodes([unseen, [1, 2]], 3)).toBe(4);
  });
});
