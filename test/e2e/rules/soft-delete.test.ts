import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { type Caller, callerOf } from './rules-suite.js';

/** Posts use a nullable column as the time of their soft delete. */
const resources = { Post: { softDelete: 'publishedAt' } } as const;

const DELETED = 1;
const MESSAGE = 'is missing';

onPlatforms('a soft-deleted record', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  let caller: Caller;
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { resources, rest: { pageSize: 100 } } });
    caller = callerOf(app);
  }, 60_000);
  beforeEach(async () => {
    await database.reset();
    const { post } = database.prisma;
    await post.updateMany({ data: { publishedAt: null } });
    // Post 1 is by user 1, and has comments and tags.
    await post.update({
      where: { id: DELETED },
      data: { publishedAt: new Date(0), reviewerId: 3, categoryId: 1, tags: { connect: { id: 1 } } },
    });
    await database.prisma.comment.create({ data: { body: 'of a deleted post', postId: DELETED, authorId: 2 } });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const fieldOf = async (id: number): Promise<Date | null | undefined> =>
    (await database.prisma.post.findUnique({ where: { id } }))?.publishedAt;
  const data = async (operation: string, args?: object): Promise<unknown> => {
    const { status, data, error } = await caller.rpc(operation, args);
    expect([operation, status, error]).toEqual([operation, 200, undefined]);
    return data;
  };
  const idsOf = (rows: unknown): readonly unknown[] => (rows as readonly { readonly id: unknown }[]).map(({ id }) => id);

  describe('read by RPC', () => {
    it.each<[operation: string, args: object, empty: unknown]>([
      ['post/findUnique', { where: { id: 1 } }, null],
      ['post/findFirst', { where: { id: 1 } }, null],
      ['post/findMany', { where: { id: 1 } }, []],
      ['post/findMany', { where: { publishedAt: { not: null } } }, []],
      ['post/findMany', { where: { NOT: { publishedAt: null } } }, []],
      ['post/findMany', { cursor: { id: 1 }, take: 5 }, []],
      ['post/count', { where: { id: { lte: 1 } } }, 0],
      ['post/aggregate', { where: { id: 1 }, _count: true }, { _count: 0 }],
      ['post/groupBy', { by: ['id'], where: { id: 1 } }, []],
      ['user/findMany', { where: { posts: { some: { id: 1 } } } }, []],
      ['user/findMany', { where: { reviewedPosts: { some: { NOT: { publishedAt: null } } } } }, []],
      ['user/count', { where: { posts: { some: { publishedAt: { lt: '2020-01-01T00:00:00.000Z' } } } } }, 0],
      ['comment/findMany', { where: { post: { id: 1 } } }, []],
      ['comment/findMany', { where: { post: { is: { tags: { some: {} }, id: 1 } } } }, []],
      ['tag/findMany', { where: { id: 1, posts: { some: { id: 1 } } } }, []],
      ['category/findMany', { where: { posts: { some: { id: 1 } } } }, []],
    ])(`${MESSAGE}: %s %j`, async (operation, args, empty) => {
      expect(await data(operation, args)).toEqual(empty);
    });

    it(`${MESSAGE} in include, _count and select, at any depth`, async () => {
      const user = await data('user/findUnique', {
        where: { id: 1 },
        select: { _count: { select: { posts: true } }, posts: { where: { id: { lte: 1 } }, select: { id: true } } },
      });
      const others = await database.prisma.post.count({ where: { authorId: 1, publishedAt: null } });
      expect(user).toEqual({ _count: { posts: others }, posts: [] });
      expect(await data('comment/findFirst', { where: { postId: 1 }, select: { postId: true, post: { select: { id: true } } } })).toEqual({
        postId: 1,
        post: null,
      });
      const reviewer = await data('user/findUnique', {
        where: { id: 2 },
        select: {
          comments: { where: { postId: 1 }, select: { post: { include: { author: true } }, author: { select: { _count: true } } } },
        },
      });
      expect(reviewer).toMatchObject({ comments: [{ post: null }] });
      const [tag] = (await data('tag/findMany', { where: { id: 1 }, include: { posts: true, _count: true } })) as readonly [
        { posts: readonly object[]; _count: { posts: number } },
      ];
      expect(idsOf(tag.posts)).not.toContain(1);
      expect(tag._count.posts).toBe(tag.posts.length);
    });

    it('matches none, every and NOT some like a record that the database has deleted', async () => {
      const { prisma } = database;
      for (const where of [{ posts: { none: {} } }, { posts: { every: { id: { gt: 1 } } } }, { NOT: { posts: { some: {} } } }]) {
        const matched = await data('user/findMany', { where, select: { id: true }, orderBy: { id: 'asc' } });
        await prisma
          .$transaction(async (open) => {
            await open.comment.deleteMany({ where: { postId: 1 } });
            await open.post.delete({ where: { id: 1 } });
            expect(matched).toEqual(await open.user.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } }));
            throw new Error('undone');
          })
          .catch((error: unknown) => {
            expect(String(error)).toContain('undone');
          });
      }
    });

    it('does not affect the order of other records: an order by its relations is a 400', async () => {
      for (const [operation, orderBy] of [
        ['user/findMany', { posts: { _count: 'asc' } }],
        ['comment/findMany', { post: { title: 'asc' } }],
      ] as const) {
        expect((await caller.rpc(operation, { orderBy })).status).toBe(400);
      }
      expect(idsOf(await data('post/findMany', { orderBy: { publishedAt: 'asc' } }))).not.toContain(1);
    });
  });

  describe('read by REST', () => {
    it.each(['/post/1', '/post/1/comments', '/post/1/author', '/post/1/relationships/tags', '/comment/1/post?filter[id]=1'])(
      `${MESSAGE}: %s`,
      async (path) => {
        expect([400, 404]).toContain((await caller.rest('GET', path)).status);
      },
    );

    it.each([
      '/post?filter[id]=1',
      '/post?filter[publishedAt][$gte]=1960-01-01T00:00:00.000Z',
      '/user?filter[posts]=1',
      '/user?filter[posts][id]=1',
      '/comment?filter[post][title]=Post 01',
    ])(`${MESSAGE}: %s`, async (path) => {
      const { status, ids, total } = await caller.rest('GET', encodeURI(path));
      expect([status, ids, total]).toEqual([200, [], 0]);
    });

    it(`${MESSAGE} in collections, linkage and included resources`, async () => {
      const user = await caller.rest('GET', '/user/1?include=posts');
      expect(user.included).not.toContain('post 1');
      expect(idsOf(user.document.data.relationships.posts.data)).not.toContain(1);
      expect((await caller.rest('GET', '/user/1/posts')).ids).not.toContain(1);
      expect((await caller.rest('GET', '/user/1/relationships/posts')).ids).not.toContain(1);
      expect((await caller.rest('GET', '/comment?include=post,post.author&filter[postId]=1')).included).toEqual([]);
      const all = await caller.rest('GET', '/post');
      expect([all.ids.includes(1), all.total]).toEqual([false, await database.prisma.post.count({ where: { publishedAt: null } })]);
    });
  });

  describe('written', () => {
    it.each<[operation: string, args: object]>([
      ['post/update', { where: { id: 1 }, data: { title: 'x' } }],
      ['post/delete', { where: { id: 1 } }],
      ['user/update', { where: { id: 1 }, data: { posts: { update: { where: { id: 1 }, data: { title: 'x' } } } } }],
      ['user/update', { where: { id: 1 }, data: { posts: { delete: { id: 1 } } } }],
      ['user/update', { where: { id: 2 }, data: { posts: { connect: { id: 1 } } } }],
      ['tag/update', { where: { id: 2 }, data: { posts: { set: [{ id: 1 }] } } }],
      ['comment/create', { data: { body: 'x', postId: 1 } }],
      ['comment/create', { data: { body: 'x', post: { connect: { id: 1 } } } }],
      ['comment/createMany', { data: [{ body: 'x', postId: 1 }] }],
      ['comment/update', { where: { id: 2 }, data: { postId: 1 } }],
      ['comment/updateMany', { where: { id: 2 }, data: { postId: 1 } }],
    ])('makes %s %j the same error as a missing record, and nothing is written', async (operation, args) => {
      const before = await everything();
      const refused = await caller.rpc(operation, args);
      const other = JSON.parse(
        JSON.stringify(args).replaceAll('"id":1}', '"id":4321}').replaceAll('"postId":1}', '"postId":4321}'),
      ) as object;
      const missing = await caller.rpc(operation, operation.startsWith('user') && !JSON.stringify(other).includes('4321') ? args : other);
      expect([refused.status, refused.error.rejectedByPolicy]).toEqual([404, undefined]);
      if (!operation.startsWith('comment')) expect(missing.status).toBe(404);
      expect(await everything()).toEqual(before);
    });

    it.each<[operation: string, args: object, count: number]>([
      ['post/updateMany', { where: { id: 1 }, data: { title: 'x' } }, 0],
      ['post/deleteMany', { where: { id: 1 } }, 0],
    ])('is not among the rows that %s %j writes', async (operation, args, count) => {
      const before = await everything();
      expect(await data(operation, args)).toEqual({ count });
      expect(await everything()).toEqual(before);
    });

    it('still has its unique values, so that upsert and connectOrCreate do not find it and fail with a conflict', async () => {
      const create = { id: 1, title: 'x', authorId: 1 };
      for (const [operation, args] of [
        ['post/upsert', { where: { id: 1 }, create, update: { title: 'x' } }],
        [
          'comment/update',
          {
            where: { id: 2 },
            data: { post: { connectOrCreate: { where: { id: 1 }, create } } },
          },
        ],
      ] as const) {
        const before = await everything();
        const { status, error } = await caller.rpc(operation, args);
        expect([operation, status, error.code]).toEqual([operation, 400, 'P2002']);
        expect(await everything()).toEqual(before);
      }
    });

    it('has a time of deletion that clients cannot write', async () => {
      for (const args of [{ where: { id: 2 }, data: { publishedAt: '2020-01-01T00:00:00.000Z' } }]) {
        expect((await caller.rpc('post/update', args)).status).toBe(400);
      }
      const body = { data: { type: 'post', id: 2, attributes: { publishedAt: '2020-01-01T00:00:00.000Z' } } };
      expect([400, 403]).toContain((await caller.rest('PATCH', '/post/2', body)).status);
      expect(await fieldOf(2)).toBeNull();
    });
  });

  describe('each way to delete it', () => {
    const within = (count = 1) => ({ data: { count } });
    it.each<[what: string, remove: () => Promise<unknown>, answer: unknown, ids: readonly number[]]>([
      ['by REST', async () => (await caller.rest('DELETE', '/post/2')).status, 204, [2]],
      ['by RPC', async () => idsOf([(await caller.rpc('post/delete', { where: { id: 2 } })).data]), [2], [2]],
      [
        'with what is included',
        async () =>
          (await caller.rpc('post/delete', { where: { id: 2 }, select: { id: true, publishedAt: true, author: { select: { id: true } } } }))
            .data,
        { id: 2, publishedAt: null, author: { id: 2 } },
        [2],
      ],
      ['as one of many', async () => (await caller.rpc('post/deleteMany', { where: { id: { in: [2, 3] } } })).data, within(2).data, [2, 3]],
      [
        'as one of a limited number',
        async () => (await caller.rpc('post/deleteMany', { where: { id: { in: [2] } }, limit: 1 })).data,
        within().data,
        [2],
      ],
      [
        'by a nested delete',
        async () => (await caller.rpc('user/update', { where: { id: 2 }, data: { posts: { delete: { id: 2 } } } })).status,
        200,
        [2],
      ],
      [
        'by a nested deleteMany',
        async () => (await caller.rpc('user/update', { where: { id: 2 }, data: { posts: { deleteMany: { id: 2 } } } })).status,
        200,
        [2],
      ],
      [
        'by one in a batch',
        async () =>
          (
            await caller.batch([
              { model: 'post', op: 'delete', args: { where: { id: 2 } } },
              { model: 'post', op: 'count', args: { where: { id: 2 } } },
            ])
          ).data[1],
        0,
        [2],
      ],
    ])('%s sets its field to the time, and makes it missing', async (_, remove, answer, ids) => {
      const start = Date.now();
      const before = await database.prisma.comment.count();
      expect(await remove()).toEqual(answer);
      for (const id of ids) {
        const time = Number(await fieldOf(id));
        expect(time).toBeGreaterThan(start - 60_000);
        expect((await caller.rest('GET', `/post/${id}`)).status).toBe(404);
        expect((await caller.rest('DELETE', `/post/${id}`)).status).toBe(404);
        expect(Number(await fieldOf(id))).toBe(time);
      }
      // No row is removed from the database.
      expect(await database.prisma.comment.count()).toBe(before);
    });
  });

  describe('restored', () => {
    it('is returned again with its values and links, in both styles', async () => {
      const rest = await caller.rest('POST', '/post/1/restore?fields[post]=title,publishedAt');
      expect([rest.status, rest.document.data.attributes]).toEqual([200, { title: 'Post 01', publishedAt: null }]);
      expect((await caller.rest('GET', '/user/1/posts')).ids).toContain(1);
      expect((await caller.rest('POST', '/post/1/restore')).status).toBe(404);
      await caller.rest('DELETE', '/post/1');
      const rpc = await app.rpc.call('post/restore', { where: { id: 1 } }, { method: 'POST' });
      expect([rpc.status, rpc.data]).toEqual([200, expect.objectContaining({ id: 1, publishedAt: null })]);
      for (const id of [1, 2, 4321]) {
        expect((await app.rpc.call('post/restore', { where: { id } }, { method: 'POST' })).status).toBe(404);
      }
    });
  });

  /** Reads all rows, without the timestamps that every write sets. */
  async function everything(): Promise<unknown> {
    const { post, comment, tag, user } = database.prisma;
    const [posts, comments, tags, users] = await Promise.all([
      post.findMany({ orderBy: { id: 'asc' } }),
      comment.findMany({ orderBy: { id: 'asc' } }),
      tag.findMany({ orderBy: { id: 'asc' }, include: { posts: { select: { id: true }, orderBy: { id: 'asc' } } } }),
      user.count(),
    ]);
    return [posts, comments, tags, users];
  }
});
