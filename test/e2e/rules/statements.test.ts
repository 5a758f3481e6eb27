import { onDatabases } from '../../support/databases/this-database.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { RULES } from './rules.js';

describe('statements under row rules', () => {
  let database: TestDatabase;
  const apps: TestApp[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    const limits = { maxDuration: Infinity };
    apps.push(await startTestApp({ platform: 'express', database, options: { limits } }));
    apps.push(await startTestApp({ platform: 'express', database, options: { limits, rules: RULES } }));
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    for (const app of apps) await app.close();
    await database.close();
  });

  /** Counts the statements of a request without rules and with them. */
  async function count(
    send: (app: TestApp, headers: Readonly<Record<string, string>>) => Promise<{ readonly status: number }>,
  ): Promise<number[]> {
    const counts: number[] = [];
    for (const app of apps) {
      await database.reset();
      const { status } = await send(app, { 'X-User-Id': '1' });
      expect(status).toBeLessThan(300);
      counts.push(database.statements.queries.length);
    }
    return counts;
  }

  it.each(['/post', '/post/1', '/post?include=comments.author,tags', '/user/1/posts', '/comment?filter[post][title]=x'])(
    'are as many for a read as without rules: %s',
    async (path) => {
      const [open, ruled] = await count((app, headers) => app.rest.get(path, headers));
      expect(ruled).toBe(open);
    },
  );

  it.each([
    ['post/create', { data: { title: 'x', authorId: 1 } }],
    ['post/update', { where: { id: 1 }, data: { title: 'x' } }],
    ['post/update', { where: { id: 1 }, data: { title: 'x' }, include: { author: true, comments: true } }],
    ['post/upsert', { where: { id: 1 }, update: { title: 'x' }, create: { title: 'x', authorId: 1 } }],
    ['post/delete', { where: { id: 1 } }],
    ['post/createMany', { data: [{ title: 'x', authorId: 1 }] }],
    ['post/updateMany', { where: {}, data: { title: 'x' } }],
    ['post/deleteMany', { where: {} }],
    ['post/deleteMany', { where: {}, limit: 1 }],
    ['post/delete', { where: { id: 1 }, include: { author: true, comments: true } }],
    ['comment/update', { where: { id: 1 }, data: { body: 'x' } }],
    ['comment/updateMany', { where: {}, data: { body: 'x' } }],
    ...onDatabases('postgresql', 'sqlite').rows<[string, object]>([
      ['post/createManyAndReturn', { data: [{ title: 'x', authorId: 1 }] }],
      ['post/updateManyAndReturn', { where: {}, data: { title: 'x' } }],
    ]),
  ])('are at most two more for a write than without rules: %s %j', async (operation, args) => {
    const [open = 0, ruled = 0] = await count((app, headers) => app.rpc.call(operation, args, { headers }));
    expect(ruled - open).toBeLessThanOrEqual(2);
  });

  it('are the same as without rules if all rules are true', async () => {
    const all: (readonly string[])[] = [];
    for (const app of apps) {
      await database.reset();
      await app.rest.get('/product?include=warehouses');
      await app.rpc.call('order/update', { where: { id: 1n }, data: { lines: { deleteMany: {} } } });
      all.push([...database.statements.all]);
    }
    expect(all[1]).toEqual(all[0]);
  });
});
