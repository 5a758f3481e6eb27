import { expect, it } from '@jest/globals';
import { PRODUCT } from '../../support/seed.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { rpc, twoWriters } from './two-writers.js';

onDatabases('postgresql-server').describe('nested creates in SQL and by Prisma', () => {
  const writers = twoWriters();
  const { compare, outcomeOf } = writers;

  const post = (comments: object, more: object = {}) => ({ data: { title: 'New', authorId: 1, comments, ...more } });

  it.each<[string, object]>([
    ['post/create', post({ create: { body: 'a' } })],
    ['post/create', post({ create: [{ body: 'a' }, { body: `'); DROP TABLE "Post"; --`, authorId: 2 }, { id: 99, body: 'c' }] })],
    [
      'post/create',
      post({ createMany: { data: [{ body: 'a' }, { body: 'b', authorId: 2 }] } }, { id: 77, keywords: ['a,"b'], metadata: { a: null } }),
    ],
    ['post/create', post({ create: [] })],
    ['post/create', { ...post({ create: [{ body: 'a' }] }), select: { title: true } }],
    [
      'order/create',
      { data: { number: 'N-1', customerId: 4, address: 'x', lines: { create: [{ productId: PRODUCT.atlas, unitPrice: '9.99' }] } } },
    ],
    [
      'orderLine/create',
      { data: { orderId: '2', productId: PRODUCT.globe, unitPrice: '1', refunds: { create: [{ amount: '0.50' }, { amount: '1' }] } } },
    ],
    [
      'post/create',
      { data: { title: 'x', author: { connect: { id: 1 } }, comments: { create: { body: 'a', author: { connect: { id: 2 } } } } } },
    ],
  ])('are executed in SQL: %s %j', async (path, args) => {
    expect(await compare(rpc(path, args))).toEqual([201]);
    const [[text] = []] = writers.started.trips.filter(([one]) => one?.startsWith('SELECT extract') === false);
    expect(text).toMatch(/^(?:WITH "w" AS \(INSERT INTO|INSERT INTO)/);
  });

  it.each<[string, string, object]>([
    ['what is written through tags', 'post/create', { data: { title: 'x', authorId: 1, tags: { create: { name: 'x' } } } }],
    [
      'what is written through author',
      'comment/create',
      {
        data: {
          body: 'x',
          post: { connect: { id: 1 } },
          author: { connectOrCreate: { where: { id: 1 }, create: { email: 'x', name: 'x' } } },
        },
      },
    ],
    ['what is written through comments', 'post/create', post({ create: { body: 'a' }, connect: { id: 1 } })],
    [
      'several nested creates, of which Prisma does those with links last',
      'post/create',
      post({ create: [{ body: 'a', author: { connect: { id: 2 } } }, { body: 'b' }] }),
    ],
    ['what is written through comments', 'post/create', post({ createMany: { data: [{ body: 'a' }], skipDuplicates: true } })],
    [
      'a nested create of the same table',
      'category/create',
      { data: { slug: 'x', name: 'x', children: { create: { slug: 'y', name: 'y' } } } },
    ],
    ['what is written through comments', 'user/update', { where: { id: 1 }, data: { comments: { create: { body: 'a', postId: 1 } } } }],
  ])('are executed by Prisma: %s', async (reason, path, args) => {
    expect((await compare(rpc(path, args))).slice(1)).toEqual([reason]);
  });

  it('are read again if the result includes them, in one transaction of SQL', async () => {
    expect(await compare(rpc('post/create', { ...post({ create: { body: 'a' } }), include: { comments: true } }))).toEqual([201]);
  });

  it.each<[number, string, object]>([
    [400, 'post/create', post({ create: [{ body: 'a' }, { id: 1, body: 'b' }] })],
    [404, 'post/create', post({ create: [{ body: 'a', authorId: 99 }] })],
    [404, 'post/create', post({ create: [{ body: 'a' }] }, { authorId: 99 })],
    [400, 'post/create', post({ create: [{ body: 'a' }] }, { id: 1 })],
  ])('fail with the same error, and write nothing: %d %s %j', async (status, path, args) => {
    await writers.failAlike(status, rpc(path, args));
  });

  it('have the same default timestamp as all rows of a write', async () => {
    const { fast, database } = writers.started;
    await writers.restore();
    const bodies = Array.from({ length: 300 }, () => ({ body: 'new' }));
    await fast.rpc.call('post/create', post({ createMany: { data: bodies } }));
    const { createdAt } = await database.prisma.post.findFirstOrThrow({ where: { title: 'New' } });
    expect(await database.prisma.comment.count({ where: { body: 'new', createdAt } })).toBe(300);
  });

  it('are executed by Prisma if their table has a trigger', async () => {
    const counts = 'UPDATE "Post" SET "viewCount" = "viewCount" + 1 WHERE id = NEW."postId";';
    await writers.withTrigger('AFTER INSERT ON "Comment"', counts, async () => {
      expect(await compare(rpc('post/create', post({ create: [{ body: 'a' }, { body: 'b' }] })))).toEqual([
        201,
        'PostgreSQL refused the statement',
      ]);
    });
  });

  it('write nothing if a trigger skips the row that they reference', async () => {
    await writers.withTrigger('BEFORE INSERT ON "Category"', '', async () => {
      const before = await outcomeOf(writers.started.plain, rpc('tag/findUnique', { where: { id: 1 } }));
      const args = { data: { slug: 'x', name: 'x', posts: { create: { title: 'x', authorId: 1 } } } };
      const [status, reason] = await compare(rpc('category/create', args));
      expect([status >= 400, reason]).toEqual([true, 'PostgreSQL refused the statement']);
      expect((await outcomeOf(writers.started.fast, rpc('category/create', args))).state).toBe(before.state);
    });
  });
});
