import { rowsOn } from '../../support/databases/this-database.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { RULES } from './rules.js';

const CALLER = { 'X-User-Id': '1' };

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

  /** Of the same request without rules, and with them. */
  async function count(
    ask: (app: TestApp, headers: Readonly<Record<string, string>>) => Promise<{ readonly status: number }>,
  ): Promise<number[]> {
    const counts: number[] = [];
    for (const app of apps) {
      await database.reset();
      const { status } = await ask(app, { 'X-User-Id': '1' });
      expect(status).toBeLessThan(300);
      counts.push(database.statements.queries.length);
    }
    return counts;
  }

  it.each(['/post', '/post/1', '/post?include=comments.author,tags', '/user/1/posts', '/comment?filter[post][title]=x'])(
    'a read takes no more: %s',
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
    ...rowsOn<[string, object]>(
      ['postgresql', 'sqlite'],
      [
        ['post/createManyAndReturn', { data: [{ title: 'x', authorId: 1 }] }],
        ['post/updateManyAndReturn', { where: {}, data: { title: 'x' } }],
      ],
    ),
  ])('a write takes at most two more: %s %j', async (operation, args) => {
    const [open = 0, ruled = 0] = await count((app, headers) => app.rpc.call(operation, args, { headers }));
    expect(ruled - open).toBeLessThanOrEqual(2);
  });

  const record = (id: number): object => ({ data: { type: 'post', id, attributes: { title: 'x' } } });
  const NAMING: readonly (readonly [name: string, ask: (app: TestApp, id: number) => Promise<{ readonly status: number }>])[] = [
    ['GET', (app, id) => app.rest.get(`/post/${id}`, CALLER)],
    ['GET of related records', (app, id) => app.rest.get(`/post/${id}/comments`, CALLER)],
    ['GET of linkage', (app, id) => app.rest.get(`/post/${id}/relationships/comments`, CALLER)],
    ['PATCH', (app, id) => app.rest.request('PATCH', `/post/${id}`, { headers: CALLER, body: record(id) })],
    ['DELETE', (app, id) => app.rest.request('DELETE', `/post/${id}`, { headers: CALLER })],
    ...(
      [
        ['post/findUnique', (id) => ({ where: { id } })],
        ['post/findMany', (id) => ({ cursor: { id } })],
        ['post/update', (id) => ({ where: { id }, data: { title: 'x' } })],
        ['post/update', (id) => ({ where: { id }, data: { comments: { deleteMany: {} } } })],
        ['post/updateMany', (id) => ({ where: { id }, data: { title: 'x' } })],
        ['post/upsert', (id) => ({ where: { id }, update: { title: 'x' }, create: { title: 'x', authorId: 2 } })],
        ['post/delete', (id) => ({ where: { id } })],
        ['post/delete', (id) => ({ where: { id }, include: { comments: true } })],
        ['post/deleteMany', (id) => ({ where: { id } })],
        ['user/update', (id) => ({ where: { id: 1 }, data: { posts: { connect: { id } } } })],
        ['user/update', (id) => ({ where: { id: 1 }, data: { posts: { update: { where: { id }, data: { title: 'x' } } } } })],
        ['comment/create', (id) => ({ data: { body: 'x', authorId: 1, post: { connect: { id } } } })],
        ['comment/create', (id) => ({ data: { body: 'x', authorId: 1, postId: id } })],
        ['comment/update', (id) => ({ where: { id: 1 }, data: { post: { connect: { id } } } })],
      ] as readonly (readonly [operation: string, argsOf: (id: number) => object])[]
    ).map(
      ([operation, argsOf]) =>
        [
          `${operation} ${JSON.stringify(argsOf(0))}`,
          (app: TestApp, id: number) => app.rpc.call(operation, argsOf(id), { headers: CALLER }),
        ] as const,
    ),
  ];

  /** Post 3 is a draft of somebody else's; there is no post 99. */
  it.each(NAMING)('are as many for a row that may not be read as for one that is not there: %s', async (_, ask) => {
    const [, ruled] = apps;
    if (!ruled) throw new Error('The app is not there yet.');
    const found: unknown[] = [];
    for (const id of [3, 99]) {
      await database.reset();
      const { status } = await ask(ruled, id);
      found.push([status, database.statements.all.length]);
    }
    expect(found[0]).toEqual(found[1]);
  });

  it('are those without rules, where nothing is closed to the caller', async () => {
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
