import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const NEW_USER = { name: 'Nora', email: 'nora@example.com', locale: 'de' };

onPlatforms('a data client that returns more fields than selected', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    const extended = database.prisma.$extends({
      result: {
        user: {
          secretName: {
            needs: { name: true, passwordHash: true },
            compute: ({ name, passwordHash }: { readonly name: string; readonly passwordHash: string }) => `SECRET ${name} ${passwordHash}`,
          },
        },
      },
      query: {
        user: {
          // A required field that the API hides.
          create: ({ args, query }) => query({ ...args, data: { ...args.data, passwordHash: 'SECRET' } }),
          upsert: ({ args, query }) => query({ ...args, create: { ...args.create, passwordHash: 'SECRET' } }),
          // Loads fields that the API hides.
          findMany: ({ args, query }) => query({ ...args, select: { ...args.select, passwordHash: true, pin: true } }),
        },
      },
    });
    app = await startTestApp({ platform, options: { getClient: () => extended } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const hidden = /secretName|SECRET|passwordHash|hash-of|"pin"/i;

  it.each<[operation: string, args: unknown]>([
    ['user/findMany', {}],
    ['user/findMany', { include: { posts: true }, omit: { name: true } }],
    ['user/findMany', { select: { name: true, _count: true } }],
    ['user/findFirst', { include: { _count: true } }],
    ['user/findUnique', { where: { id: 1 } }],
    ['post/findMany', { include: { author: true } }],
    ['post/findFirst', { select: { author: { include: { profile: { include: { user: true } } } } } }],
    ['user/create', { data: NEW_USER }],
    ['user/update', { where: { id: 1 }, data: { name: 'Ada' } }],
    ['user/upsert', { where: { id: 1 }, create: NEW_USER, update: { name: 'Ada' } }],
    ['user/updateManyAndReturn', { where: { id: 1 }, data: { name: 'Ada' } }],
    ['post/update', { where: { id: 1 }, data: { title: 'New' }, include: { author: true } }],
    ['user/groupBy', { by: ['name'], _count: true }],
    ['user/aggregate', { _max: { name: true }, _count: { _all: true } }],
  ])('serves only selected fields by RPC: %s %j', async (operation, args) => {
    const { status, data } = await app.rpc.call(operation, args);
    expect([status < 300, data]).toEqual([true, expect.anything()]);
    expect(JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(hidden);
  });

  it('serves only selected fields in a batch', async () => {
    const { status, data } = await app.rpc.sequential([
      { model: 'user', op: 'findMany' },
      { model: 'user', op: 'update', args: { where: { id: 1 }, data: { name: 'Ada' } } },
    ]);
    expect(status).toBe(200);
    expect(JSON.stringify(data)).not.toMatch(hidden);
    expect(JSON.stringify(data)).toMatch('Ada');
  });

  it.each(['/user', '/user/1', '/post?include=author', '/post/1/author'])('serves only selected fields by REST: %s', async (path) => {
    const { status, text } = await app.rest.get(path);
    expect(status).toBe(200);
    expect(text).not.toMatch(hidden);
  });
});
