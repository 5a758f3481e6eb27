import { describe, expect, it } from '@jest/globals';
import { countList } from '../../../lib/data-client/count-list.js';
import type { RelatedRelation } from '../../../lib/data-client/plan.js';

const side = (delegate: string, ...key: string[]) => ({ delegate, key });

const COMMENTS: RelatedRelation = {
  name: 'comments',
  many: true,
  args: { where: { spam: false }, take: 2 },
  owner: side('post', 'id'),
  target: side('comment', 'id'),
  foreignKey: { fields: ['postId'], references: ['id'] },
  opposite: 'post',
  relations: [],
};

/** A client that keeps what it was asked, and answers so. */
function clientOf(answers: Readonly<Record<string, unknown>>) {
  const asked: unknown[] = [];
  const delegateOf = (delegate: string): object =>
    new Proxy(
      {},
      {
        get: (_, operation: string) => (args: unknown) => {
          asked.push([`${delegate}.${operation}`, args]);
          return Promise.resolve(answers[`${delegate}.${operation}`]);
        },
      },
    );
  const client = new Proxy({}, { get: (_, delegate: string) => delegateOf(delegate) });
  return { client, asked };
}

describe('the number of rows in a list', () => {
  it('is that of the rows with the key of each owner, for one that is there twice twice', async () => {
    const groups = [
      { postId: 1, _count: { _all: 5 } },
      { postId: 2, _count: { _all: 1 } },
    ];
    const { client, asked } = clientOf({ 'comment.groupBy': groups });
    expect(await countList(client, COMMENTS, [{ id: 1 }, { id: 2 }, { id: 1 }, { id: 3 }])).toEqual({ rows: 11 });
    const where = { spam: false, AND: [{ postId: { in: [1, 2, 3] } }] };
    expect(asked).toEqual([['comment.groupBy', { by: ['postId'], where, _count: { _all: true } }]]);
  });

  it('compares keys by value, and those of several fields as a whole', async () => {
    const relation = { ...COMMENTS, args: {}, foreignKey: { fields: ['day', 'lineNo'], references: ['day', 'no'] } };
    const day = (text: string): Date => new Date(text);
    const groups = [
      { day: day('2026-01-01'), lineNo: 1n, _count: { _all: 2 } },
      { day: day('2026-01-01'), lineNo: 9n, _count: { _all: 100 } },
    ];
    const { client } = clientOf({ 'comment.groupBy': groups });
    const owners = [
      { day: day('2026-01-01'), no: 1n },
      { day: day('2026-01-02'), no: 1n },
    ];
    expect(await countList(client, relation, owners)).toEqual({ rows: 2 });
  });

  it('is no more than all rows that are reached for each owner, where a table of its own holds the pairs; exactly it is counted on demand', async () => {
    const { foreignKey, ...others } = COMMENTS;
    expect(foreignKey).toBeDefined();
    const relation = { ...others, name: 'tags', args: {}, target: side('tag', 'id'), opposite: 'posts' };
    const { client, asked } = clientOf({
      'tag.count': 4,
      'post.findMany': [
        { id: 1, _count: { tags: 3 } },
        { id: 2, _count: { tags: 1 } },
      ],
    });
    const { rows, exactly } = await countList(client, relation, [{ id: 1 }, { id: 2 }]);
    expect(rows).toBe(8);
    expect(asked).toEqual([['tag.count', { where: { posts: { some: { id: { in: [1, 2] } } } } }]]);
    expect(await exactly?.()).toBe(4);
  });

  it('is counted by the owners where there is no way back', async () => {
    const { foreignKey, opposite, ...relation } = COMMENTS;
    expect([foreignKey, opposite]).not.toContain(undefined);
    const { client, asked } = clientOf({ 'post.findMany': [{ a: 1, b: 2, _count: { comments: 7 } }] });
    const owner = side('post', 'a', 'b');
    expect(
      await countList(client, { ...relation, owner }, [
        { a: 1, b: 2 },
        { a: 1, b: 2 },
      ]),
    ).toEqual({ rows: 14 });
    const select = { a: true, b: true, _count: { select: { comments: { where: { spam: false } } } } };
    expect(asked).toEqual([['post.findMany', { where: { OR: [{ a: 1, b: 2 }] }, select }]]);
  });

  it('is none without owners, and nobody is asked', async () => {
    const { client, asked } = clientOf({});
    expect(await countList(client, COMMENTS, [])).toEqual({ rows: 0 });
    expect(asked).toEqual([]);
  });
});
