import { describe, expect, it } from '@jest/globals';
import { countList } from '../../../../lib/executor/loading/count-list.js';
import { equals } from '../../../../lib/query/condition.js';
import { fieldNamed } from '../../../../lib/query/fields.js';
import { answering, many, stored } from '../library.js';

const NO_SPAM = equals(fieldNamed(stored('Comment'), 'spam'), false);
const COMMENTS = { list: many('Post.comments', ['id'], { where: NO_SPAM, page: { take: 2 } }), model: stored('Post') };
const LINES = { list: many('Day.lines', ['id']), model: stored('Day') };
const TAGS = { list: many('Post.tags', ['id']), model: stored('Post') };

describe('the number of rows in a list', () => {
  it('is that of the rows with the key of each owner, counted twice for an owner that occurs twice', async () => {
    const groups = [
      { postId: 1, _count: { _all: 5 } },
      { postId: 2, _count: { _all: 1 } },
    ];
    const { executor, calls } = answering({ 'comment.groupBy': groups });
    expect(await countList(executor, { ...COMMENTS, owners: [{ id: 1 }, { id: 2 }, { id: 1 }, { id: 3 }] })).toEqual({ rows: 11 });
    const where = { spam: false, postId: { in: [1, 2, 3] } };
    expect(calls).toEqual([['comment.groupBy', { by: ['postId'], where, _count: { _all: true } }]]);
  });

  it('is queried without owners whose key has a null', async () => {
    const likes = { list: many('Comment.likes', ['id']), model: stored('Comment') };
    const { executor, calls } = answering({ 'like.groupBy': [{ slug: 'a', _count: { _all: 5 } }] });
    expect(await countList(executor, { ...likes, owners: [{ slug: null }, { slug: 'a' }, { slug: null }] })).toEqual({ rows: 5 });
    expect(calls).toEqual([['like.groupBy', { by: ['slug'], where: { slug: { in: ['a'] } }, _count: { _all: true } }]]);
    expect(await countList(executor, { ...LINES, owners: [{ day: new Date(), no: null }] })).toEqual({ rows: 0 });
    expect(calls).toHaveLength(1);
  });

  it('compares keys by value, and those of several fields as a whole', async () => {
    const day = (text: string): Date => new Date(text);
    const groups = [
      { day: day('2026-01-01'), lineNo: 1n, _count: { _all: 2 } },
      { day: day('2026-01-01'), lineNo: 9n, _count: { _all: 100 } },
    ];
    const { executor, calls } = answering({ 'line.groupBy': groups });
    const owners = [
      { day: day('2026-01-01'), no: 1n },
      { day: day('2026-01-02'), no: 1n },
    ];
    expect(await countList(executor, { ...LINES, owners })).toEqual({ rows: 2 });
    const where = { OR: owners.map(({ day: on, no }) => ({ day: on, lineNo: no })) };
    expect(calls).toMatchObject([['line.groupBy', { where }]]);
  });

  it('is queried with each key once, however many equal objects have it', async () => {
    const { executor, calls } = answering({ 'line.groupBy': [] });
    const owners = [1, 1].map((no) => ({ day: new Date(0), no: BigInt(no) }));
    await countList(executor, { ...LINES, owners });
    expect(calls).toEqual([['line.groupBy', { by: ['day', 'lineNo'], where: { day: new Date(0), lineNo: 1n }, _count: { _all: true } }]]);
  });

  it('is at most the number of reached rows for each owner of a many-to-many list, and exact where it is counted by the owners', async () => {
    const { executor, calls } = answering({
      'tag.count': 4,
      'post.findMany': [
        { id: 1, _count: { tags: 3 } },
        { id: 2, _count: { tags: 1 } },
      ],
    });
    const { rows, exactly } = await countList(executor, { ...TAGS, owners: [{ id: 1 }, { id: 2 }] });
    expect(rows).toBe(8);
    expect(calls).toEqual([['tag.count', { where: { posts: { some: { id: { in: [1, 2] } } } } }]]);
    expect(await exactly?.()).toBe(4);
  });

  it('is counted by the owners where the relation has no other side', async () => {
    const { executor, calls } = answering({ 'bundle.findMany': [{ id: 1, _count: { tags: 7 } }] });
    const tags = { list: many('Bundle.tags', ['id']), model: stored('Bundle') };
    expect(await countList(executor, { ...tags, owners: [{ id: 1 }, { id: 1 }] })).toEqual({ rows: 14 });
    const select = { id: true, _count: { select: { tags: true } } };
    expect(calls).toEqual([['bundle.findMany', { where: { id: { in: [1] } }, select }]]);
  });

  it('is 0 without owners, and needs no query', async () => {
    const { executor, calls } = answering({});
    expect(await countList(executor, { ...COMMENTS, owners: [] })).toEqual({ rows: 0 });
    expect(calls).toEqual([]);
  });
});
