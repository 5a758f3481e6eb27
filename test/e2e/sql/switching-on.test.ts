import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigurationError, type DeclinedSqlRead, withRowLevelSecurity, withSql, withSqlReads } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const LOST = {
  model: 'Post',
  operation: 'findMany',
  reason: 'a client that was extended, bound again or wrapped after withSqlReads',
};

const CALLER = { settings: { 'app.user_id': 1 } } as const;

describe('withSqlReads', () => {
  let database: TestDatabase;
  let app: TestApp;
  let client: object;
  const declined: DeclinedSqlRead[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database, options: { getClient: () => client } });
  });
  beforeEach(() => {
    client = withSqlReads(database.prisma, { onDecline: (read) => declined.push(read) });
    database.statements.clear();
    declined.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  /** Whether a list was one statement of the SQL compiler. */
  async function isSql(): Promise<boolean> {
    database.statements.clear();
    const { status } = await app.rest.get('/post?include=author&page[limit]=2');
    expect(status).toBe(200);
    return database.statements.queries.length === 1 && database.statements.queries[0]?.includes('json_build_array') === true;
  }

  it('executes a read in one statement, and reports no declined read', async () => {
    expect(await isSql()).toBe(true);
    expect(declined).toEqual([]);
  });

  it('executes a read that it does not compile through Prisma, and reports the reason', async () => {
    const { data } = await app.rpc.call('post/findMany', {
      cursor: { id: 5 },
      take: 2,
      orderBy: [{ rating: 'asc' }, { id: 'asc' }],
      select: { id: true },
    });
    expect(data).toHaveLength(2);
    expect(declined).toEqual([{ model: 'Post', operation: 'findMany', reason: expect.any(String) as unknown }]);
  });

  it('executes writes, and calls of the application, through Prisma', async () => {
    await database.reset();
    const { status } = await app.rest.post('/tag', { data: { type: 'tag', attributes: { name: 'sql' } } });
    expect(status).toBe(201);
    const prisma = withSqlReads(database.prisma);
    expect(await prisma.tag.findUnique({ where: { name: 'sql' }, select: { name: true } })).toEqual({ name: 'sql' });
    expect(await prisma.$transaction([prisma.tag.count()])).toEqual([6]);
    await database.reset();
  });

  it('executes no read in SQL if its client is extended or wrapped in a Proxy afterwards, also with a bound caller', async () => {
    const fast = withSqlReads(database.prisma, { onDecline: (read) => declined.push(read) });
    client = fast.$extends({ query: { post: { findMany: ({ args, query }) => query({ ...args, where: { id: 3 } }) } } });
    expect(await isSql()).toBe(false);
    const { data } = await app.rpc.call('post/findMany', { select: { id: true } });
    expect(data).toEqual([{ id: 3 }]);
    expect(new Set(declined.splice(0).map(({ reason }) => reason))).toEqual(new Set([LOST.reason]));
    for (const around of [
      new Proxy(fast, {}),
      withRowLevelSecurity(fast, CALLER).$extends({ query: { $allOperations: ({ args, query }) => query(args) } }),
    ]) {
      client = around;
      expect(await isSql()).toBe(false);
      expect(declined.splice(0)).toContainEqual(LOST);
    }
    client = withRowLevelSecurity(withRowLevelSecurity(fast, CALLER), CALLER);
    await app.rest.get('/post?page[limit]=2');
    expect(database.statements.all.some((sql) => sql.includes('json_build_array'))).toBe(false);
    expect(declined).toContainEqual(LOST);
  });

  it('executes reads as the caller that its client is bound to, in the transaction of the binding', async () => {
    client = withRowLevelSecurity(withSqlReads(database.prisma), CALLER);
    const { status } = await app.rest.get('/post?include=comments&page[limit]=2');
    expect(status).toBe(200);
    const { all } = database.statements;
    const index = all.findIndex((sql) => sql.includes('json_build_array'));
    expect(all.slice(index - 2, index)).toEqual(['BEGIN', expect.stringContaining('set_config($1, $2, true)')]);
    expect(all.slice(index + 1)).toEqual(['COMMIT']);
  });

  it('accepts a client with added methods or computed fields, and rejects one with query hooks, of another database, or not of Prisma', () => {
    const { prisma } = database;
    expect(() => withSqlReads(prisma.$extends({ model: { post: { first: () => 1 } }, client: { $hello: () => 1 } }))).not.toThrow();
    const query = {
      $allOperations: ({ args, query: run }: { readonly args: unknown; readonly query: (args: unknown) => Promise<unknown> }) => run(args),
    };
    const result = { post: { loud: { needs: { title: true }, compute: ({ title }: { readonly title: string }) => title.toUpperCase() } } };
    expect(() => withSqlReads(prisma.$extends({ result }))).not.toThrow();
    for (const hooked of [prisma.$extends({ query }), prisma.$extends({ result }).$extends({ query })]) {
      expect(() => withSqlReads(hooked)).toThrow(ConfigurationError);
    }
    expect(() => withSqlReads({ _activeProvider: 'mysql' })).toThrow(/a Prisma client for "mysql"/);
    expect(() => withSqlReads({})).toThrow(/no Prisma client/);
  });

  it.each([
    ['withSql', withSql],
    ['withSqlReads', withSqlReads],
  ] as const)('names the function that the application has called in errors and reasons: %s', async (name, make) => {
    const { prisma } = database;
    const query = {
      post: {
        findMany: ({ args, query: run }: { readonly args: object; readonly query: (args: object) => Promise<unknown> }) => run(args),
      },
    };
    expect(() => make({ _activeProvider: 'mysql' })).toThrow(new RegExp(`^${name} got a Prisma client for "mysql"`));
    expect(() => make(prisma.$extends({ query }))).toThrow(new RegExp(`^${name} got a client extended with`));
    client = make(prisma, { onDecline: (read) => declined.push(read) }).$extends({ query });
    await app.rest.get('/post?page[limit]=1');
    expect(declined[0]?.reason).toBe(`a client that was extended, bound again or wrapped after ${name}`);
  });

  it('counts only the returned rows of a list with take towards the limits, where Prisma would load all of them', async () => {
    const small = await startTestApp({ platform: 'express', database, options: { getClient: () => client, limits: { maxTake: 3 } } });
    const read = { where: { id: 1 }, select: { posts: { take: 1, select: { id: true } } } };
    expect((await small.rpc.call('user/findFirst', read)).data).toEqual({ posts: [{ id: 1 }] });
    client = database.prisma;
    expect((await small.rpc.call('user/findFirst', read)).status).toBe(400);
    await small.close();
  });

  it('rejects too many included rows with the same error as through Prisma, and loads at most one row above the limit', async () => {
    const small = await startTestApp({ platform: 'express', database, options: { getClient: () => client, limits: { maxTake: 5 } } });
    database.statements.clear();
    const { status } = await small.rest.get('/post?include=comments&page[limit]=5');
    expect(status).toBe(400);
    expect(database.statements.queries).toHaveLength(1);
    await small.close();
  });
});
