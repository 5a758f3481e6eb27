import { describe, expect, it } from '@jest/globals';
import type { Executor } from '../../../lib/executor/executor.js';
import type { DataCall, Plan } from '../../../lib/executor/plan.js';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';
import { ALWAYS } from '../../../lib/query/condition.js';
import { printCondition } from '../../../lib/prisma/print-condition.js';
import type { FindMany } from '../../../lib/query/read.js';
import type { Row } from '../../../lib/query/result.js';
import { findSome, FoundRows, isOneOf, keyChunks, keyFields, required, rowText } from '../../../lib/rules/rows.js';
import { RuleSet } from '../../../lib/rules/rule-set.js';
import { schemaOf } from '../rpc/model-of.js';
import { queryOf } from '../rpc/publisher.js';

const storage = buildStorage(
  schemaOf(`
model Tag {
  id   Int    @id
  name String
}
model Seat {
  row    Int
  number Int
  name   String
  @@id([row, number])
}
`),
);
const Tag = storedModel(storage, 'Tag');
const Seat = storedModel(storage, 'Seat');
const numbered = (count: number): readonly Row[] => Array.from({ length: count }, (_, id) => ({ id }));

describe('the rows that the checks of a plan have found', () => {
  const checked = queryOf('post.findMany', { where: { id: 1 } });
  const other = queryOf('post.findMany', { where: { id: 2 } });
  const calls: readonly DataCall[] = [{ query: checked, expect: { kind: 'all-found', wanted: [] } }, { query: other }];
  const plan: Plan = { kind: 'transaction', calls };

  it('are those of its own checks alone', () => {
    const found = FoundRows.of(plan);
    found.remember(other, [{ id: 2 }]);
    expect(found.texts(checked.model, ['id'])).toEqual(new Set());
    found.remember(checked, [{ id: 1 }]);
    found.remember(checked, [{ id: 3 }]);
    expect(found.texts(checked.model, ['id']).size).toBe(2);
    expect(found.texts(Tag, ['id']).size).toBe(0);
  });

  it('are none for a result that is no list of rows, and for rows without the columns', () => {
    const found = FoundRows.of(plan);
    found.remember(checked, 3);
    found.remember(checked, [{ id: 1 }, { id: 2, title: 'x' }]);
    expect([found.texts(checked.model, ['id']).size, found.texts(checked.model, ['id', 'title']).size]).toEqual([2, 1]);
  });
});

describe('rows by their keys', () => {
  it('have the same text only if they are the same row', () => {
    const texts = [
      { row: 1, number: 12 },
      { row: 11, number: 2 },
      { row: 1, number: 12, name: 'x' },
    ].map((row) => rowText(Seat, row));
    expect(new Set(texts).size).toBe(2);
    expect(texts[0]).toBe(texts[2]);
  });

  it('are found by one condition', () => {
    expect(printCondition(isOneOf(Tag, [{ id: 1 }, { id: 2 }]), Tag)).toEqual({ id: { in: [1, 2] } });
    const seats = [
      { row: 1, number: 2 },
      { row: 3, number: 4 },
    ];
    expect(printCondition(isOneOf(Seat, seats), Seat)).toEqual({ OR: seats });
  });

  it.each([
    [0, []],
    [1, [1]],
    [500, [500]],
    [501, [500, 1]],
    [1_000, [500, 500]],
  ])('%i rows are in statements of %j', (count, sizes) => {
    const chunks = keyChunks(numbered(count));
    expect(chunks.map(({ length }) => length)).toEqual(sizes);
    expect(chunks.flat()).toEqual(numbered(count));
  });
});

describe('the rows that a write reads before it', () => {
  const takes: (number | undefined)[] = [];
  const sessionOf = (count: number, maxRows: number) => {
    const run = (query: unknown): Promise<never> => {
      const { page } = query as FindMany;
      takes.push(page.take);
      return Promise.resolve(numbered(Math.min(count, page.take ?? Infinity)) as never);
    };
    const executor: Executor = { run };
    return { executor, maxRows, rules: new RuleSet(storage, null), foundRows: new FoundRows(new Set()) };
  };
  const sought = { model: Tag, where: ALWAYS, selection: keyFields(Tag) };

  it.each<[rows: number, most: number, limit: number | undefined, take: number | undefined, found: number | 'refused']>([
    [3, 3, undefined, 4, 3],
    [4, 3, undefined, 4, 'refused'],
    [9, 3, 2, 2, 2],
    [9, 3, 3, 3, 3],
    [9, 3, 5, 4, 'refused'],
    [9, Infinity, undefined, undefined, 9],
    [9, Infinity, 4, 4, 4],
  ])('of %i rows, with at most %i and the limit %i: takes %i, and finds %s', async (rows, most, limit, take, found) => {
    takes.length = 0;
    const finding = findSome(sessionOf(rows, most), sought, limit);
    if (found === 'refused') await expect(finding).rejects.toThrow(`A write reaches at most ${most} records of Tag (limits.maxTake).`);
    else expect(await finding).toHaveLength(found);
    expect(takes).toEqual([take]);
  });

  it('throw where the query returns no row', () => {
    const row = { id: 1 };
    expect(required(row)).toBe(row);
    expect(() => required(null)).toThrow(TypeError);
  });
});
