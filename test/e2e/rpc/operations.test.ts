import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { onDatabases } from '../../support/databases/this-database.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { PRODUCT } from '../../support/seed.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

onPlatforms('RPC operations', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each<[string, string, string, unknown, number, unknown]>([
    ['GET', 'tag/findMany', 'q', { where: { id: 1 } }, 200, [{ id: 1, name: 'typescript' }]],
    ['GET', 'tag/findMany', 'q', { where: { id: -1 } }, 200, []],
    ['GET', 'tag/findUnique', 'q', { where: { id: 1 } }, 200, { id: 1, name: 'typescript' }],
    ['GET', 'tag/findUnique', 'q', { where: { id: 99 } }, 200, null],
    ['GET', 'tag/findFirst', 'q', { orderBy: { id: 'desc' } }, 200, { id: 5, name: 'unused' }],
    ['GET', 'tag/findUniqueOrThrow', 'q', { where: { id: 1 } }, 200, { id: 1, name: 'typescript' }],
    ['GET', 'tag/findFirstOrThrow', 'q', { where: { id: 1 } }, 200, { id: 1, name: 'typescript' }],
    ['GET', 'tag/count', 'q', {}, 200, 5],
    ['GET', 'tag/count', 'q', { where: { id: -1 } }, 200, 0],
    ['GET', 'tag/aggregate', 'q', { _max: { id: true } }, 200, { _max: { id: 5 } }],
    ['GET', 'tag/groupBy', 'q', { by: ['name'], where: { id: 1 } }, 200, [{ name: 'typescript' }]],
    ['POST', 'tag/create', 'body', { data: { name: 'x' } }, 201, { id: expect.any(Number), name: 'x' }],
    ['POST', 'tag/createMany', 'body', { data: [{ name: 'x' }] }, 201, { count: 1 }],
    ...onDatabases('postgresql', 'sqlite').rows<[string, string, string, unknown, number, unknown]>([
      ['POST', 'tag/createManyAndReturn', 'body', { data: [{ name: 'x' }], select: { name: true } }, 201, [{ name: 'x' }]],
    ]),
    ['PATCH', 'tag/update', 'body', { where: { id: 1 }, data: { name: 'x' } }, 200, { id: 1, name: 'x' }],
    ['PUT', 'tag/update', 'body', { where: { id: 1 }, data: { name: 'x' } }, 200, { id: 1, name: 'x' }],
    ['PATCH', 'tag/updateMany', 'body', { where: { id: 1 }, data: { name: 'x' } }, 200, { count: 1 }],
    ['PUT', 'tag/updateMany', 'body', { where: { id: -1 }, data: { name: 'x' } }, 200, { count: 0 }],
    ...onDatabases('postgresql', 'sqlite').rows<[string, string, string, unknown, number, unknown]>([
      ['PATCH', 'tag/updateManyAndReturn', 'body', { where: { id: 1 }, data: { name: 'x' } }, 200, [{ id: 1, name: 'x' }]],
    ]),
    ...onDatabases('postgresql', 'sqlite').rows<[string, string, string, unknown, number, unknown]>([
      ['PUT', 'tag/updateManyAndReturn', 'body', { where: { id: 1 }, data: { name: 'x' } }, 200, [{ id: 1, name: 'x' }]],
    ]),
    ['POST', 'tag/upsert', 'body', { where: { name: 'x' }, create: { name: 'x' }, update: {} }, 200, { id: expect.any(Number), name: 'x' }],
    ['DELETE', 'tag/delete', 'q', { where: { id: 5 } }, 200, { id: 5, name: 'unused' }],
    ['DELETE', 'tag/deleteMany', 'q', { where: { id: 5 } }, 200, { count: 1 }],
    ['DELETE', 'tag/deleteMany', 'q', { where: {} }, 200, { count: 5 }],
    ['GET', 'TAG/count', 'q', {}, 200, 5],
    ['GET', 'exchangerate/count', 'q', {}, 200, 4],
  ])('%s %s with its argument in the %s: %j answers %i', async (...row) => {
    const [method, path, input, args, status, data] = row;
    const query = input === 'q' ? `?q=${encodeURIComponent(JSON.stringify(args))}` : '';
    const body = input === 'body' ? { body: JSON.stringify(args), headers: { 'Content-Type': 'application/json' } } : {};
    const response = await app.rpc.send({ method: method as 'GET', path: `/${path}${query}`, ...body });
    expect([response.status, response.body]).toEqual([status, { data }]);
    expect(response.headers['content-type']).toMatch(/^application\/json\b/);
  });

  it.each([
    {},
    { name: {} },
    { name: { not: {} } },
    ...onDatabases('postgresql').rows([{ name: { mode: 'insensitive' } }]),
    { id: { _avg: {} }, name: { _count: { not: {} } } },
  ])('return every group for a having without comparisons: %j', async (having) => {
    const { data } = await app.rpc.call('tag/groupBy', { by: ['name'], where: { id: 1 }, having });
    expect(data).toEqual([{ name: 'typescript' }]);
  });

  onDatabases('postgresql', 'mariadb').it('match a UUID in upper case, alone and in a batch', async () => {
    const upper = (id: string): object => ({ where: { id: id.toUpperCase() }, select: { id: true } });
    const rows = [PRODUCT.atlas, PRODUCT.globe].map((id) => ({ id }));
    expect(await Promise.all(rows.map(async ({ id }) => (await app.rpc.call('product/findUnique', upper(id))).data))).toEqual(rows);
    const { data } = await app.rpc.sequential(rows.map(({ id }) => ({ model: 'product', op: 'findUniqueOrThrow', args: upper(id) })));
    expect(data).toEqual(rows);
  });

  it('add meta.serialization only to results with types that JSON does not have', async () => {
    expect((await app.rpc.call('tag/findFirst')).body).not.toHaveProperty('meta');
    const { body } = await app.rpc.call('order/findUnique', { where: { id: 1n }, select: { id: true, total: true, placedAt: true } });
    expect(body).toEqual({
      data: { id: '1', total: '149.7', placedAt: '2026-01-01T12:00:00.000Z' },
      meta: { serialization: { values: { id: ['bigint'], total: [['custom', 'Decimal']], placedAt: ['Date'] } } },
    });
  });

  it('accept metadata whose paths start at data', async () => {
    const body = { data: { bio: 'b', userId: 4, avatar: 'AAE=' }, meta: { serialization: { values: { avatar: [['custom', 'Bytes']] } } } };
    const response = await app.rpc.send({ method: 'POST', path: '/profile/create', headers: JSON_TYPE, body: JSON.stringify(body) });
    expect(response.data).toMatchObject({ avatar: Uint8Array.of(0, 1) });
  });

  it('store Json values unchanged, with keys such as constructor and meta', async () => {
    const payload = JSON.parse('{"constructor":{"prototype":1},"toString":2,"meta":{"serialization":{"values":{}}},"set":3}') as object;
    const created = await app.rpc.send({
      method: 'POST',
      path: '/auditEvent/create',
      headers: JSON_TYPE,
      body: JSON.stringify({ data: { type: 'x', payload } }),
    });
    expect(created.body.data).toMatchObject({ payload });
  });

  onDatabases('postgresql').it('store null of an optional Json field as NULL, and match NULL and JSON null', async () => {
    await app.rpc.call('post/update', { where: { id: 2 }, data: { metadata: null } });
    const rows = await database.prisma.$queryRaw`SELECT metadata IS NULL AS "isNull" FROM "Post" WHERE id = 2`;
    expect(rows).toEqual([{ isNull: true }]);
    await database.prisma.$executeRaw`UPDATE "Post" SET metadata = 'null' WHERE id = 4`;
    const found = await app.rpc.call('post/findMany', {
      where: { metadata: { equals: null }, id: { in: [2, 4, 6] } },
      select: { id: true },
    });
    expect(found.data).toEqual([{ id: 2 }, { id: 4 }]);
    const others = await app.rpc.call('post/findMany', { where: { metadata: { not: null } }, select: { id: true } });
    expect(others.data).toEqual([6, 8, 10, 12].map((id) => ({ id })));
  });

  it('accept an argument of 100 kB by POST, for operations of GET and DELETE', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => index);
    const args = { where: { id: { in: ids }, body: { not: 'x'.repeat(100_000) } } };
    const send = (path: string, method: string) =>
      app.rpc.send({ method: 'POST', path, headers: { ...JSON_TYPE, 'X-HTTP-Method-Override': method }, body: JSON.stringify(args) });
    expect((await send('/comment/count', 'GET')).data).toBe(20);
    expect((await send('/comment/count', 'get')).data).toBe(20);
    expect((await send('/comment/deleteMany', 'DELETE')).data).toEqual({ count: 20 });
    expect(await send('/comment/deleteMany', 'GET')).toMatchObject({ status: 400 });
  });

  it('accept the argument of a read as the body of QUERY (RFC 10008)', async () => {
    const args = { where: { createdAt: { gt: new Date(0) } }, take: 2, orderBy: { id: 'desc' } };
    const { data } = await app.rpc.call('post/findMany', args);
    expect((await app.rpc.call('post/findMany', args, { method: 'QUERY' })).data).toEqual(data);
    expect((await app.rpc.call('post/count', {}, { method: 'QUERY' })).status).toBe(200);
    expect((await app.rpc.call('post/findMany', { where: { title: 'x'.repeat(100_000) } }, { method: 'QUERY' })).data).toEqual([]);
    const send = (path: string, body?: string, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
      app.rpc.send({ method: 'QUERY', path, headers, ...(body !== undefined && { body }) });
    expect(await send('/post/findMany')).toMatchObject({ status: 400 });
    expect(await send('/post/findMany?q=%7B%7D', '{}')).toMatchObject({ status: 400 });
    expect(await send('/post/findMany', 'take=1', { 'Content-Type': 'application/x-www-form-urlencoded' })).toMatchObject({ status: 415 });
    expect(await send('/post/deleteMany', '{"where":{}}')).toMatchObject({ status: 400 });
    expect(await database.prisma.post.count()).toBeGreaterThan(0);
  });

  it('reject a read of more rows than limits.maxTake', async () => {
    const small = await startTestApp({ platform, database, options: { limits: { maxTake: 5 } } });
    const sentence = (call: string): string => `${call} found more rows than limits.maxTake allows: 5. Ask for fewer with take.`;
    expect((await small.rpc.call('post/findMany')).error).toEqual({ message: sentence('post.findMany') });
    expect((await small.rpc.call('post/findMany', { distinct: ['id'] })).error).toEqual({ message: sentence('post.findMany') });
    expect((await small.rpc.call('post/groupBy', { by: ['id'] })).error).toEqual({ message: sentence('post.groupBy') });
    expect((await small.rpc.call('post/findMany', { where: { id: { lte: 5 } } })).data).toHaveLength(5);
    expect((await small.rpc.call('post/findMany', { take: 6 })).error.message).toMatch(/maxTake allows: 5\.$/);
    await small.close();
  });

  it("send Bytes as a typed array with bytes: 'typed-array'", async () => {
    const typed = await startTestApp({ platform, database, options: { rpc: { prefix: 'api/rpc', bytes: 'typed-array' } } });
    const { body } = await typed.rpc.call('profile/findUnique', { where: { id: 1 }, select: { avatar: true } });
    expect(body).toEqual({
      data: { avatar: [0x89, 0x50, 0x4e, 0x47] },
      meta: { serialization: { values: { avatar: [['typed-array', 'Uint8Array']] } } },
    });
    await typed.close();
  });
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
