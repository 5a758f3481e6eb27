import { itByPrisma } from '../../support/sql-reads.js';
import { describeRules } from './rules-suite.js';

/** Returns a pattern of messages that begin with a path. */
function startOf(place: string): RegExp {
  return new RegExp(`^${place.replaceAll('.', '\\.')} cannot be answered: `);
}

describeRules('reads under row rules', (suite) => {
  it('lists, counts and fetches the rows that the caller may read', async () => {
    const anonymous = await suite.as().rest('GET', '/post?sort=id');
    expect([anonymous.ids, anonymous.total]).toEqual([[1, 2, 4, 5, 7, 8, 10, 11], 8]);
    expect((await suite.as(3).rest('GET', '/post?sort=id')).ids).toHaveLength(12);
    expect((await suite.as().rest('GET', '/post/3')).status).toBe(404);
    expect((await suite.as(3).rest('GET', '/post/3')).status).toBe(200);
    expect((await suite.as().rpc('post/count')).data).toBe(8);
    expect((await suite.as().rpc('post/findUnique', { where: { id: 3 } })).data).toBeNull();
    expect((await suite.as().rpc('post/findUniqueOrThrow', { where: { id: 3 } })).status).toBe(404);
    expect((await suite.as().rpc('post/findFirst', { where: { id: 3 } })).data).toBeNull();
    expect((await suite.as().rpc('post/aggregate', { _count: true, _max: { id: true } })).data).toEqual({ _count: 8, _max: { id: 11 } });
    expect((await suite.as().rpc('post/groupBy', { by: ['published'], _count: true })).data).toEqual([{ published: true, _count: 8 }]);
  });

  it('returns no unreadable related row', async () => {
    const { data } = await suite.as().rpc('post/findMany', {
      where: { id: { in: [1, 4, 7] } },
      orderBy: { id: 'asc' },
      select: { id: true, author: { select: { id: true } }, category: { select: { id: true } }, reviewer: { select: { id: true } } },
    });
    expect(data).toEqual([
      { id: 1, author: { id: 1 }, category: null, reviewer: null },
      { id: 4, author: { id: 1 }, category: { id: 4 }, reviewer: { id: 1 } },
      { id: 7, author: { id: 1 }, category: null, reviewer: null },
    ]);
    const users = await suite.as().rest('GET', '/user?include=posts,profile');
    expect(users.ids).toEqual([1, 2, 4, 5]);
    expect([...users.included].sort()).toEqual(
      ['post 1', 'post 4', 'post 7', 'post 10', 'profile 2', 'post 2', 'post 5', 'post 8', 'post 11'].sort(),
    );
  });

  it('returns null for an unreadable row of a required relation, at any depth', async () => {
    const comments = {
      where: { id: { in: [2, 3] } },
      orderBy: { id: 'asc' },
      select: { id: true, post: { select: { id: true, author: true } } },
    };
    const anonymous = (await suite.as().rpc('comment/findMany', comments)).data;
    expect(anonymous).toEqual([
      { id: 2, post: { id: 2, author: expect.objectContaining({ id: 2 }) } },
      { id: 3, post: null },
    ]);
    // The author of the post may read it, and its author.
    expect((await suite.as(3).rpc('comment/findMany', comments)).data[1]).toEqual({
      id: 3,
      post: { id: 3, author: expect.objectContaining({ id: 3 }) },
    });
    const deep = await suite.as().rpc('user/findUnique', {
      where: { id: 4 },
      select: { comments: { orderBy: { id: 'asc' }, select: { id: true, post: { select: { title: true } } } } },
    });
    expect(deep.data).toEqual({ comments: [] });
    expect((await suite.as().rpc('user/findUnique', { where: { id: 3 }, select: { id: true } })).data).toBeNull();
  });

  it('includes no such row in REST, and returns its key as linkage', async () => {
    const { document } = await suite.as().rest('GET', '/comment/3?include=post');
    expect([document.included, document.data.relationships.post.data]).toEqual([[], { type: 'post', id: 3 }]);
    expect((await suite.as().rest('GET', '/comment/3/post')).document.data).toBeNull();
    expect((await suite.as(3).rest('GET', '/comment/3/post')).ids).toEqual([3]);
  });

  it('returns readable rows at relationship URLs, and 404 for those of an unreadable row', async () => {
    expect((await suite.as().rest('GET', '/user/1/posts?sort=id')).ids).toEqual([1, 4, 7, 10]);
    expect((await suite.as().rest('GET', '/user/2/relationships/posts')).total).toBe(4);
    expect((await suite.as(2).rest('GET', '/tag/3/posts?sort=id')).ids).toEqual([2]);
    expect((await suite.as(3).rest('GET', '/tag/3/posts?sort=id')).ids).toEqual([2, 3]);
    expect((await suite.as().rest('GET', '/post/3/comments')).status).toBe(404);
    expect((await suite.as().rest('GET', '/user/3/relationships/posts')).status).toBe(404);
  });

  it('counts readable related rows', async () => {
    const select = { id: true, _count: { select: { posts: true, comments: { where: { id: { lt: 6 } } } } } };
    expect((await suite.as().rpc('user/findMany', { where: { id: 4 }, select })).data).toEqual([
      { id: 4, _count: { posts: 0, comments: 0 } },
    ]);
    expect((await suite.as(4).rpc('user/findMany', { where: { id: 4 }, select })).data).toEqual([
      { id: 4, _count: { posts: 0, comments: 1 } },
    ]);
    expect((await suite.as().rpc('tag/findUnique', { where: { id: 3 }, select: { _count: { select: { posts: true } } } })).data).toEqual({
      _count: { posts: 1 },
    });
  });

  it.each([
    ['some', { comments: { some: { post: { id: 3 } } } }, []],
    ['none', { posts: { none: { published: false } } }, [1, 2, 4, 5]],
    ['every', { posts: { every: { published: true } } }, [1, 2, 4, 5]],
    ['a to-one relation that the other side refers to', { profile: { isNot: null } }, [2]],
    ['none of it', { profile: null }, [1, 4, 5]],
    ['negations', { NOT: { profile: { bio: { contains: 'Wrote' } } } }, [1, 2, 4, 5]],
  ])('filters by readable rows: %s', async (_, where, ids) => {
    const { data } = await suite.as().rpc('user/findMany', { where, orderBy: { id: 'asc' }, select: { id: true } });
    expect(data).toEqual(ids.map((id) => ({ id })));
  });

  it('filters by readable rows in REST', async () => {
    expect((await suite.as().rest('GET', '/comment?filter[post]=3')).ids).toEqual([3, 13]);
    expect((await suite.as().rest('GET', '/comment?filter[post][title]=Post 03')).ids).toEqual([]);
    expect((await suite.as(3).rest('GET', '/comment?filter[post][title]=Post 03')).ids).toEqual([3, 13]);
    expect((await suite.as().rest('GET', '/user?filter[posts][published]=false')).ids).toEqual([]);
  });

  /** `parentId: { not: 1 }` is unknown for a category without a parent. NOT (unknown AND x) would reveal whether x is true. */
  it('filters by a row for which the rule is unknown as by an unreadable one, also negated', async () => {
    const posts = async (category: object): Promise<unknown> =>
      (await suite.as().rpc('post/findMany', { where: category, orderBy: { id: 'asc' }, select: { id: true } })).data;
    const all = [1, 2, 4, 5, 7, 8, 10, 11].map((id) => ({ id }));
    for (const name of ['Software', 'nothing']) {
      expect(await posts({ NOT: { category: { name } } })).toEqual(all);
      expect(await posts({ category: { isNot: { name } } })).toEqual(all);
      expect(await posts({ category: { name } })).toEqual([]);
    }
  });

  itByPrisma('rejects an order by a model of which some rows are unreadable, with the parameter', async () => {
    for (const [path, parameter] of [
      ['/post?sort=author.name', 'sort'],
      ['/post?sort=title,-author.name', 'sort'],
      ['/user?sort=posts.$count', 'sort'],
      ['/post?sort=author.name&page[size]=2', 'sort'],
      ['/post?sort=author.name&include=author', 'sort'],
      ['/tag/1/posts?sort=author.name', 'sort'],
      ['/tag?include=posts&includeSort[posts]=author.name', 'includeSort[posts]'],
    ] as const) {
      const { status, errors } = await suite.as().rest('GET', path);
      expect([path, status, errors]).toEqual([path, 400, [expect.objectContaining({ code: 'invalid-sort', source: { parameter } })]]);
    }
    for (const [operation, args, place] of [
      ['post/findMany', { orderBy: { author: { name: 'asc' } } }, 'orderBy.author.name'],
      ['post/findMany', { orderBy: [{ id: 'asc' }, { comments: { _count: 'asc' } }] }, 'orderBy.1.comments'],
      ['post/findFirst', { orderBy: { category: { parent: { name: 'asc' } } } }, 'orderBy.category.parent.name'],
      ['tag/findMany', { include: { posts: { orderBy: { author: { name: 'asc' } } } } }, 'include.posts.orderBy.author.name'],
    ] as const) {
      const { status, error } = await suite.as().rpc(operation, args);
      expect([status, error]).toEqual([400, expect.objectContaining({ message: expect.stringMatching(startOf(place)) as unknown })]);
    }
  });

  it('allows an order by related rows that the caller may all read', async () => {
    expect((await suite.as().rpc('post/findMany', { orderBy: { tags: { _count: 'asc' } }, select: { id: true } })).status).toBe(200);
    expect((await suite.as().rest('GET', '/orderLine?sort=product.name')).status).toBe(200);
  });

  it('returns no rows from the cursor of an unreadable row', async () => {
    const from = (id: number, more: object = {}) => ({ cursor: { id }, orderBy: { title: 'asc' }, select: { id: true }, ...more });
    expect((await suite.as().rpc('post/findMany', from(10))).data).toEqual([{ id: 10 }, { id: 11 }]);
    expect((await suite.as().rpc('post/findMany', from(9))).data).toEqual([]);
    expect((await suite.as().rpc('post/count', { cursor: { id: 9 } })).data).toBe(0);
    expect((await suite.as(3).rpc('post/findMany', from(11))).data).toEqual([{ id: 11 }, { id: 12 }]);
    const nested = { where: { id: 3 }, select: { posts: from(3) } };
    expect((await suite.as().rpc('tag/findUnique', nested)).data).toEqual({ posts: [] });
    expect((await suite.as(3).rpc('tag/findUnique', nested)).data).toEqual({ posts: [{ id: 3 }] });
  });

  it('enforces the rules in each operation of a batch', async () => {
    const { data } = await suite.as().batch([
      { model: 'post', op: 'count' },
      { model: 'comment', op: 'findUnique', args: { where: { id: 3 }, select: { post: { select: { id: true } } } } },
      { model: 'user', op: 'findMany', args: { orderBy: { id: 'asc' }, select: { id: true } } },
    ]);
    expect(data).toEqual([8, { post: null }, [1, 2, 4, 5].map((id) => ({ id }))]);
  });
});
