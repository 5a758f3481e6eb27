import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { describeOnPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

describeOnPlatforms('RPC errors', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { resources: { Country: { actions: ['read'] } } } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each<[string, unknown, number, string]>([
    ['pots/findMany', {}, 400, "There is no model 'pots'. Did you mean 'post'?"],
    ['apiToken/findMany', {}, 400, "There is no model 'apiToken'."],
    ['post/findAll', {}, 400, "There is no operation 'findAll'."],
    ['post/findMany', { where: { titel: 'x' } }, 400, "Unknown argument where.titel. Did you mean 'title'?"],
    ['post/findMany', { where: { author: { is: { emial: 'x' } } } }, 400, "Unknown argument where.author.is.emial. Did you mean 'email'?"],
    ['user/findMany', { where: { passwordHash: { startsWith: '$2b' } } }, 400, 'Unknown argument where.passwordHash.'],
    ['post/findMany', { take: 20_000 }, 400, 'take asks for more rows than limits.maxTake allows: 10000.'],
    ['post/deleteMany', undefined, 400, 'where is missing; write {} to mean all records.'],
    ['post/updateMany', { data: {} }, 400, 'where is missing; write {} to mean all records.'],
    ['country/create', { data: { code: 'AT', name: 'Austria' } }, 403, 'country.create: Country is closed to create.'],
    ['country/delete', { where: { code: 'NL' } }, 403, 'country.delete: Country is closed to delete.'],
  ])('%s %j is refused with %i before any SQL', async (operation, args, status, message) => {
    const response = await app.rpc.call(operation, args);
    expect([response.status, response.error]).toEqual([status, { message }]);
    expect(database.statements.all).toEqual([]);
  });

  it.each<[string, unknown, number, object]>([
    ['tag/create', { data: { name: 'nest' } }, 400, { orm: true, code: 'P2002' }],
    ['post/create', { data: { title: 'x', authorId: 999 } }, 400, { orm: true, code: 'P2003' }],
    ['category/delete', { where: { id: 1 } }, 400, { orm: true }],
    ['tag/update', { where: { id: 99 }, data: {} }, 404, { orm: true, code: 'P2025' }],
    ['tag/delete', { where: { id: 99 } }, 404, { orm: true, code: 'P2025' }],
    ['tag/findUniqueOrThrow', { where: { id: 99 } }, 404, { orm: true, code: 'P2025' }],
    ['tag/findFirstOrThrow', { where: { id: 99 } }, 404, { orm: true, code: 'P2025' }],
    ['post/update', { where: { id: 1 }, data: { author: { connect: { id: 99 } } } }, 404, { orm: true, code: 'P2025' }],
    ['tag/create', { data: {} }, 400, { orm: true, message: expect.stringContaining('`name` is missing') }],
    ['post/create', { data: { authorId: 1, author: { connect: { id: 1 } }, title: 'x' } }, 400, { orm: true }],
    ['post/findMany', { select: {} }, 400, { orm: true }],
    ['post/groupBy', { by: ['authorId'], having: { title: 'x' } }, 400, { orm: true }],
  ])('%s %j fails in the data layer with %i', async (operation, args, status, members) => {
    const response = await app.rpc.call(operation, args);
    expect(response.status).toBe(status);
    expect(response.error).toMatchObject(members);
    expect(response.error.message).not.toMatch(/\n|prisma\.|node_modules|invocation|SELECT|INSERT/);
  });

  it.each<[string, unknown]>([
    ['user/create', { data: { email: 'x@example.com', name: 'X' } }],
    ['user/createMany', { data: [{ email: 'x@example.com', name: 'X' }] }],
    ['profile/create', { data: { user: { create: { email: 'x@example.com', name: 'X' } } } }],
    ['user/findUnique', { where: { name: 'X' } }],
  ])('%s %j names no hidden field in its error', async (operation, args) => {
    const response = await app.rpc.call(operation, args);
    expect(response.status).toBe(400);
    expect(response.text).not.toMatch(/passwordHash|recoveryCode|tokens/);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    '%s is refused, naming the verb to use, where it is not the operation’s own',
    async (method) => {
      const own: Record<string, readonly string[]> = { findMany: ['GET'], create: ['POST'], update: ['PATCH', 'PUT'], delete: ['DELETE'] };
      for (const [operation, verbs] of Object.entries(own)) {
        if (verbs.includes(method)) continue;
        const response = await app.rpc.send({ method, path: `/tag/${operation}` });
        expect([response.status, response.error]).toEqual([
          400,
          { message: `${operation} is called by ${verbs.join(' or ')}, not by ${method}.` },
        ]);
      }
      expect(database.statements.all).toEqual([]);
    },
  );

  it.each<[string, Record<string, string>, string, number]>([
    ['text/plain', { 'Content-Type': 'text/plain' }, '{"data":{"name":"x"}}', 415],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'data[name]=x', 415],
    ['JSON:API', { 'Content-Type': 'application/vnd.api+json' }, '{"data":{"name":"x"}}', 415],
    ['broken JSON', { 'Content-Type': 'application/json' }, '{"data":', 400],
    ['nothing', { 'Content-Type': 'application/json' }, '', 400],
    ['a list', { 'Content-Type': 'application/json' }, '[]', 400],
  ])('a body of %s is refused', async (_, headers, body, status) => {
    const response = await app.rpc.send({ method: 'POST', path: '/tag/create', headers, body });
    expect(response.status).toBe(status);
    expect(response.error.message).toMatch(/\.$/);
    expect(database.statements.all).toEqual([]);
  });
});
