import { describe, expect, it } from '@jest/globals';
import { flatMap } from '../../../lib/utils/flat-map.js';

describe('flatMap', () => {
  it('returns what Array.prototype.flatMap returns', () => {
    const repeat = (item: string, index: number): readonly string[] => Array.from({ length: index }, () => item);

    expect(flatMap(['a', 'b', 'c'], repeat)).toEqual(['a', 'b', 'c'].flatMap(repeat));
    expect(flatMap([], repeat)).toEqual([]);
  });

  it('does not flatten the items of the returned lists', () => {
    expect(flatMap([1, 2], (item) => [[item]])).toEqual([[1], [2]]);
  });
});
