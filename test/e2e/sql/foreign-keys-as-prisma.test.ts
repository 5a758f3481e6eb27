import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { withRowLevelSecurity } from '../../../lib/index.js';
import type { TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { installPolicies, POLICIES, type Policies, removePolicies, ROLE } from '../rules/policies.js';
import { type Send, rpc, twoWriters } from './two-writers.js';

const CALLER = 1;
/** A user that the policies hide. */
const HIDDEN = 3;

const rest =
  (type: string, attributes: object, related: Readonly<Record<string, number>> = {}): Send =>
  (app) => {
    const named = Object.entries(related).map(([name, id]) => [name, { data: { type: name === 'post' ? 'post' : 'user', id } }]);
    return app.rest.post(`/${type}`, { data: { type, attributes, relationships: Object.fromEntries(named) as object } });
  };

onDatabases('postgresql-server').describe('referenced rows under row-level security, in SQL and by Prisma', () => {
  const writers = twoWriters();
  const { declined } = writers;
  let apps: { readonly fast: TestApp; readonly plain: TestApp };
  let installed: Policies | undefined;

  beforeAll(async () => {
    const { client, database } = writers.started;
    const bound = (one: typeof client): Promise<TestApp> => {
      return writers.start(() => withRowLevelSecurity(one, { role: ROLE, settings: { 'app.user_id': CALLER } }));
    };
    apps = { fast: await bound(client), plain: await bound(database.prisma) };
  }, 60_000);
  afterEach(() => removePolicies(writers.started.database.prisma, installed));

  /** Expects the same from both. Returns the status, and the reasons if SQL has declined anything. */
  async function compare(send: Send, policies = POLICIES): Promise<readonly [status: number, ...reasons: string[]]> {
    installed = policies;
    await installPolicies(writers.started.database.prisma, policies);
    const outcome = await writers.outcomeOf(apps.fast, send);
    const reasons = declined.map(({ reason }) => reason);
    expect(outcome).toEqual(await writers.outcomeOf(apps.plain, send));
    return [outcome.status, ...reasons];
  }

  it.each<[string, object, number]>([
    ['post/create', { data: { title: 'a', authorId: CALLER, published: true } }, 201],
    ['post/create', { data: { title: 'a', authorId: CALLER, reviewerId: 2 } }, 201],
    ['post/create', { data: { title: 'a', authorId: CALLER, reviewerId: null } }, 201],
    ['post/create', { data: { title: 'a', author: { connect: { id: CALLER } }, reviewer: { connect: { id: 4 } } } }, 201],
    [
      'comment/createMany',
      {
        data: [
          { body: 'a', postId: 1, authorId: CALLER },
          { body: 'b', postId: 1, authorId: CALLER },
        ],
      },
      201,
    ],
    ['post/update', { where: { id: 1 }, data: { reviewerId: 4 } }, 200],
    ['post/updateMany', { where: { authorId: CALLER }, data: { reviewerId: 2, viewCount: { increment: 1 } } }, 200],
    ['post/upsert', { where: { id: 77 }, create: { id: 77, title: 'a', authorId: CALLER }, update: { reviewerId: 2 } }, 200],
  ])('are checked in the round trip of the write: %s %j', async (path, args, status) => {
    expect(await compare(rpc(path, args))).toEqual([status]);
    expect(writers.started.trips).toHaveLength(1);
  });

  it.each([
    rest('post', { title: 'a' }, { author: CALLER, reviewer: 2 }),
    rest('post', { title: 'a', authorId: CALLER, reviewerId: 2 }),
    rest('comment', { body: 'a' }, { author: CALLER, post: 1 }),
  ])('are checked in the round trip of the write of REST, %#', async (send) => {
    expect(await compare(send)).toEqual([201]);
    expect(writers.started.trips).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['post/create', { data: { title: 'a', authorId: CALLER, reviewerId: HIDDEN } }],
    ['post/create', { data: { title: 'a', author: { connect: { id: CALLER } }, reviewer: { connect: { id: HIDDEN } } } }],
    [
      'post/createMany',
      {
        data: [
          { title: 'a', authorId: CALLER, reviewerId: 2 },
          { title: 'b', authorId: CALLER, reviewerId: HIDDEN },
        ],
      },
    ],
    ['post/update', { where: { id: 1 }, data: { reviewerId: HIDDEN } }],
    ['post/updateMany', { where: { id: -1 }, data: { reviewerId: HIDDEN } }],
    ['post/upsert', { where: { id: 77 }, create: { id: 77, title: 'a', authorId: CALLER, reviewerId: HIDDEN }, update: { title: 'b' } }],
    ['post/upsert', { where: { id: 77 }, create: { id: 77, title: 'a', authorId: CALLER }, update: { reviewerId: HIDDEN } }],
  ])('are a 404 if they are hidden: %s %j', async (path, args) => {
    expect((await compare(rpc(path, args)))[0]).toBe(404);
  });

  it.each([
    rest('post', { title: 'a' }, { author: CALLER, reviewer: HIDDEN }),
    rest('post', { title: 'a', authorId: CALLER, reviewerId: HIDDEN }),
  ])('are a 404 in REST if they are hidden, %#', async (send) => {
    expect((await compare(send))[0]).toBe(404);
  });

  describe('under policies that depend on the reviewers of posts', () => {
    const { User, ...others } = POLICIES.tables;
    const shown = (select: string): Policies => ({ tables: { ...others, User: { ...User, select } } });

    beforeAll(async () => {
      // A function that is not STABLE reads rows that the calling statement has written.
      await writers.started.database.prisma.$executeRawUnsafe(`
        CREATE FUNCTION is_reviewer(id int) RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
          BEGIN RETURN EXISTS (SELECT 1 FROM "Post" AS p WHERE p."reviewerId" = $1 AND p.title = 'a'); END $$`);
    });
    afterAll(() => writers.started.database.prisma.$executeRawUnsafe('DROP FUNCTION is_reviewer(int) CASCADE'));

    it.each([
      rpc('post/create', { data: { title: 'a', authorId: CALLER, reviewerId: 2 } }),
      rpc('post/create', { data: { title: 'a', author: { connect: { id: CALLER } }, reviewer: { connect: { id: 2 } } } }),
      rpc('post/update', { where: { id: 1 }, data: { title: 'a', reviewer: { connect: { id: 2 } } } }),
      rest('post', { title: 'a' }, { author: CALLER, reviewer: 2 }),
    ])('are checked before the write, %#', async (write) => {
      const select = `id = ${CALLER} OR is_reviewer(id)`;
      expect((await compare(write, shown(select)))[0]).toBe(404);
      await removePolicies(writers.started.database.prisma, installed);
      expect((await compare(write, shown(`NOT (id <> ${CALLER} AND is_reviewer(id))`)))[0]).toBeLessThan(300);
    });
  });

  const filters = [
    { post: { is: {} } },
    { post: { isNot: {} } },
    { post: { isNot: { reviewerId: { not: {} } } } },
    { NOT: { post: { NOT: { OR: [] } } } },
    { author: null },
    { author: { isNot: null } },
    { author: { is: {} } },
    { post: { is: { author: { is: {} } } } },
  ];

  it.each(filters.flatMap((where) => ['findMany', 'count', 'updateMany', 'deleteMany'].map((operation) => [operation, where] as const)))(
    'are filtered in the same way by %s with %j',
    async (operation, where) => {
      const more = { findMany: { orderBy: { id: 'asc' }, select: { id: true } }, updateMany: { data: { body: 'x' } } };
      const [status] = await compare(rpc(`comment/${operation}`, { where, ...more[operation as keyof typeof more] }));
      expect(status).toBe(200);
    },
  );

  it.each<Send>([
    rpc('comment/findMany', { include: { post: { include: { author: true } } }, orderBy: { id: 'asc' } }),
    (app) => app.rest.get('/comment?include=post.author&sort=id'),
  ])('are null if they are hidden, in one read, %#', async (send) => {
    expect(await compare(send)).toEqual([200]);
  });
});
