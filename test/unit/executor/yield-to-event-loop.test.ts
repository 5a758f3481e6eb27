import { describe, expect, it } from '@jest/globals';
import { yieldToEventLoop, tickAfter } from '../../../lib/executor/yield-to-event-loop.js';

const rows = (count: number): readonly object[] => Array.from({ length: count }, (_, id) => ({ id }));

class Held {
  constructor(readonly parts: readonly object[]) {}
}

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
  ['a row with an object of a class that holds many', { id: 1, price: new Held(rows(2000)) }],
  ['a row with a long list of texts', { id: 1, keywords: Array.from({ length: 100_000 }, () => 'x') }],
];

describe('tickAfter', () => {
  it.each(MANY)('yields one tick to the event loop after %s', async (_, results) => {
    expect(await turnsIn(() => tickAfter(results))).toBe(1);
  });

  it.each(FEW)('does not yield after %s', async (_, results) => {
    expect(await turnsIn(() => tickAfter(results))).toBe(0);
  });
});

describe('yieldToEventLoop', () => {
  it('yields a tick before the work on many rows, and one after it', async () => {
    const order: string[] = [];
    const immediate = setImmediate(() => {
      order.push('turn');
      setImmediate(() => order.push('turn'));
    });
    await yieldToEventLoop(rows(2000), () => order.push('work'));
    clearImmediate(immediate);
    expect(order).toEqual(['turn', 'work', 'turn']);
  });

  it('works on few rows at once, and returns what the work returns', async () => {
    expect(await turnsIn(() => yieldToEventLoop(rows(3), () => undefined))).toBe(0);
    expect(await yieldToEventLoop(rows(3), ({ length }) => length)).toBe(3);
  });
});

async function turnsIn(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  const immediate = setImmediate(() => (turns += 1));
  await work();
  clearImmediate(immediate);
  return turns;
}
