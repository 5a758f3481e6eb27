import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

/** Returns a client for the caller of the header `X-User-Id`, who reads only the posts of one author, without the title of the first. */
function clientOf(database: TestDatabase, userId: number) {
  const restrict = (args: { where?: object }): object => ({ ...args, where: { ...args.where, authorId: userId } });
  return database.prisma.$extends({
    query: {
      post: {
        async $allOperations({ operation, args, query }) {
          const isRead = /^(?:find|count|aggregate|groupBy)/.test(operation);
          const result: unknown = await query(isRead ? restrict(args as never) : args);
          return Array.isArray(result) ? result.map((row: Row, index) => (index === 0 ? without(row, 'title') : row)) : result;
        },
      },
    },
  });
}

type Row = Record<string, unknown>;

function without(row: Row, name: string): Row {
  return Object.fromEntries(Object.entries(row).filter(([key]) => key !== name));
}

onPlatforms('callers', (platform) => {
  let app: TestApp;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
    const getClient = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
      clientOf(database, Number(headers['x-user-id'])) as never;
    app = await startTestApp({ platform, options: { getClient } });
  });

  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const as = (user: number) => ({ 'X-User-Id': String(user) });
  const ownIds = (user: number) => [user, user + 3, user + 6, user + 9];

  it.each([
    ['REST', async (user: number) => (await app.rest.get('/post?sort=id', as(user))).ids],
    ['REST, included', async (user: number) => (await app.rest.get('/post?sort=id&include=author', as(user))).ids],
    [
      'RPC',
      async (user: number) => {
        const { data } = await app.rpc.call('post/findMany', { orderBy: { id: 'asc' } }, { headers: as(user) });
        return (data as Row[]).map(({ id }) => id);
      },
    ],
    [
      'batch',
      async (user: number) => {
        const operation = { model: 'post', op: 'findMany', args: { orderBy: { id: 'asc' } } };
        const { data } = await app.rpc.sequential([operation, { model: 'post', op: 'count' }], as(user));
        const [rows, count] = data as [Row[], number];
        expect(count).toBe(4);
        return rows.map(({ id }) => id);
      },
    ],
  ])('25. receive only their own rows if their requests are concurrent · %s', async (_, read) => {
    const users = Array.from({ length: 24 }, (_, index) => (index % 3) + 1);
    const answers = await Promise.all(users.map((user) => read(user)));
    expect(answers).toEqual(users.map(ownIds));
  });

  it('25. receive no response of another caller', async () => {
    const first = await app.rest.get('/post/1', as(1));
    expect(first.status).toBe(200);
    expect((await app.rest.get('/post/1', as(2))).status).toBe(404);
    expect((await app.rest.get('/post/1', { ...as(2), 'If-None-Match': String(first.headers['etag'] ?? '*') })).status).toBe(404);
    expect((await app.rest.get('/post/1', as(1))).status).toBe(200);
  });

  it('25. receive a field that is missing in one row with the next row', async () => {
    const { many } = await app.rest.get('/post?sort=id', as(1));
    expect(many.map(({ attributes }) => attributes['title'])).toEqual([undefined, 'Post 04', 'Post 07', 'Post 10']);
    const { data } = await app.rpc.call('post/findMany', { orderBy: { id: 'asc' } }, { headers: as(1) });
    expect((data as Row[]).map(({ title }) => title)).toEqual([undefined, 'Post 04', 'Post 07', 'Post 10']);
  });
});
