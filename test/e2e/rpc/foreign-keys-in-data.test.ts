import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

onPlatforms('foreign keys in the data of RPC writes', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    // User 5 exists, and is hidden from this caller.
    const client = database.prisma.$extends({
      query: { user: { findMany: ({ args, query }) => query({ ...args, where: { AND: [args.where ?? {}, { id: { not: 5 } }] } }) } },
    });
    app = await startTestApp({ platform, options: { getClient: () => client } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each<[string, unknown, string]>([
    ['post/create', { data: { title: 'x', authorId: 5 } }, 'data.authorId'],
    ['post/create', { data: { title: 'x', authorId: 999 } }, 'data.authorId'],
    [
      'post/createMany',
      {
        data: [
          { title: 'x', authorId: 1 },
          { title: 'x', authorId: 5 },
        ],
      },
      'data.1.authorId',
    ],
    ['post/update', { where: { id: 1 }, data: { reviewerId: { set: 5 } } }, 'data.reviewerId'],
    ['post/updateMany', { where: {}, data: { authorId: 5 } }, 'data.authorId'],
    ['comment/upsert', { where: { id: 1 }, create: { body: 'x', postId: 1, authorId: 5 }, update: {} }, 'create.authorId'],
    ['post/update', { where: { id: 1 }, data: { comments: { create: { body: 'x', authorId: 5 } } } }, 'data.comments.create.authorId'],
  ])('of a row that is missing or hidden make %s %j a 404 that writes nothing', async (operation, args, path) => {
    const response = await app.rpc.call(operation, args);
    expect([response.status, response.error]).toEqual([404, { message: `There is no User that ${path} refers to.` }]);
    expect(database.statements.writes).toEqual([]);
  });

  it('of a hidden row make a batch a 404, and roll it back', async () => {
    const response = await app.rpc.sequential([
      { model: 'tag', op: 'create', args: { data: { name: 'x' } } },
      { model: 'post', op: 'create', args: { data: { title: 'x', authorId: 5 } } },
    ]);
    expect([response.status, response.error.message]).toEqual([404, 'operations[1]: There is no User that data.authorId refers to.']);
    expect(await database.prisma.tag.count({ where: { name: 'x' } })).toBe(0);
  });

  it('may reference a visible row, be null, or reference a row that the same call creates', async () => {
    expect((await app.rpc.call('post/create', { data: { title: 'x', authorId: 1, reviewerId: null } })).status).toBe(201);
    const tree = [
      { id: 70, slug: 'a', name: 'a' },
      { id: 71, slug: 'b', name: 'b', parentId: 70 },
    ];
    expect((await app.rpc.call('category/createMany', { data: tree })).status).toBe(201);
  });
});
