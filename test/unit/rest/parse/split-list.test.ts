import { describe, expect, it } from '@jest/globals';
import { splitList } from '../../../../lib/rest/parse/split-list.js';

describe('a list', () => {
  it('has elements with their positions', () => {
    expect(splitList('a,-bc,')).toEqual([
      { text: 'a', position: 1 },
      { text: '-bc', position: 3 },
      { text: '', position: 7 },
    ]);
    expect(splitList('')).toEqual([]);
  });

  it('stops after the maximum number of elements', () => {
    expect(splitList('a,b,c', 2).map(({ text }) => text)).toEqual(['a', 'b']);
    expect(splitList('a,'.repeat(500_000), 101)).toHaveLength(101);
  });
});
