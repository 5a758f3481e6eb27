import { setTimeout } from 'node:timers/promises';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const CREATE = { title: 'new', author: { connect: { id: 1 } } };
const OURS = { title: 'ours' };

/** Writes of post 1 under a condition that it no longer meets after the change of another transaction. */
const WRITES: readonly (readonly [name: string, operation: string, args: (where: object) => object])[] = [
  [
    'an upsert',
    'post/upsert',
    (where) => ({ where, update: { ...OURS, comments: { create: { body: 'ours', author: { connect: { id: 1 } } } } }, create: CREATE }),
  ],
  [
    'an update that creates',
    'post/update',
    (where) => ({ where, data: { comments: { create: { body: 'ours', author: { connect: { id: 1 } } } } } }),
  ],
  ['an update of a list', 'user/update', (where) => ({ where: { id: 1 }, data: { posts: { update: { where, data: OURS } } } })],
  [
    'an upsert of a list',
    'user/update',
    (where) => ({ where: { id: 1 }, data: { posts: { upsert: { where, update: OURS, create: { title: 'new' } } } } }),
  ],
  ['a delete of a list', 'user/update', (where) => ({ where: { id: 1 }, data: { posts: { delete: where } } })],
  ['a connect', 'user/update', (where) => ({ where: { id: 2 }, data: { posts: { connect: where } } })],
];

describe('a condition beside the key, of two concurrent writers', () => {
  let database: TestDatabase;
  const apps = new Map<string, TestApp>();
  beforeAll(async () => {
    database = await openTestDatabase();
    const rules = { 'Post': { 'read': { id: { gt: 0 } }, '*': true }, '*': true } as const;
    apps.set('Prisma', await startTestApp({ platform: 'fastify', database }));
    apps.set('rules', await startTestApp({ platform: 'fastify', database, options: { rules } }));
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await Promise.all([...apps.values()].map((app) => app.close()));
    await database.close();
  });

  describe.each(['Prisma', 'rules'])('by %s', (engine) => {
    // The embedded PostgreSQL has one connection, and SQLite one writer: test/e2e/concurrency is about PostgreSQL.
    onDatabases('mariadb').it.each(WRITES)('%s rejects the second write', async (_, operation, args) => {
      const app = apps.get(engine);
      const { title } = await database.prisma.post.findUniqueOrThrow({ where: { id: 1 } });
      const sent = await database.prisma.$transaction(async (open) => {
        await open.post.update({ where: { id: 1 }, data: { title: 'theirs' } });
        const response = Promise.resolve(app?.rpc.call(operation, args({ id: 1, title })));
        response.catch(() => undefined);
        await setTimeout(300);
        return { response };
      });
      const response = await sent.response;
      expect([[404, 409], response?.text]).toEqual([expect.arrayContaining([response?.status]), response?.text]);
      expect(await database.prisma.post.findUnique({ where: { id: 1 }, select: { title: true, authorId: true } })).toEqual({
        title: 'theirs',
        authorId: 1,
      });
      expect(await database.prisma.comment.count({ where: { body: 'ours' } })).toBe(0);
    });
  });
});
