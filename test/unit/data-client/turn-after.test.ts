import { describe, expect, it } from '@jest/globals';
import { turnAfter } from '../../../lib/data-client/turn-after.js';

const rows = (count: number): readonly object[] => Array.from({ length: count }, (_, id) => ({ id }));

const MANY: readonly (readonly [name: string, results: unknown])[] = [
  ['rows', rows(2000)],
  ['a page of rows', { rows: rows(2000), total: 2000 }],
  ['rows with one other each', rows(1000).map((row) => ({ ...row, author: { id: 1 } }))],
  ['a row with a list of rows', { id: 1, posts: rows(2000) }],
  ['lists of the operations of a batch', [rows(1000), rows(1000)]],
];

const FEW: readonly (readonly [name: string, results: unknown])[] = [
  ['some rows', rows(1000)],
  ['no row', null],
  ['a count', 100_000],
  ['a row with many bytes', { id: 1, avatar: new Uint8Array(100_000) }],
  ['a row with a long list of texts', { id: 1, keywords: Array.from({ length: 100_000 }, () => 'x') }],
];

describe('turnAfter', () => {
  it.each(MANY)('lets the event loop turn after %s', async (_, results) => {
    expect(await turnsIn(() => turnAfter(results))).toBe(1);
  });

  it.each(FEW)('goes on at once after %s', async (_, results) => {
    expect(await turnsIn(() => turnAfter(results))).toBe(0);
  });
});

async function turnsIn(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  const immediate = setImmediate(() => (turns += 1));
  await work();
  clearImmediate(immediate);
  return turns;
}
