import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import { withRowLevelSecurity } from 'nestjs-resource-api';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { PrismaClient } from '../../support/generated/prisma/client.js';
import { loggedAdapter } from '../../support/logged-adapter.js';
import { StatementLog } from '../../support/statement-log.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';

const CHANGES = 60;

/** Each change of a comment takes 20 ms. */
const SLOW_COMMENTS = [
  `CREATE FUNCTION slow_down() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END'`,
  'CREATE TRIGGER slow BEFORE UPDATE ON "Comment" FOR EACH ROW EXECUTE FUNCTION slow_down()',
];

onDatabases('postgresql-server').describe('the deadline of a request', () => {
  onPlatforms.all('on one connection', (platform) => {
    let database: TestDatabase;
    /** The pool has one connection, which the next caller uses as soon as it is free. */
    let prisma: PrismaClient;
    let ids: readonly number[];
    const statements = new StatementLog();
    const apps: TestApp[] = [];

    beforeAll(async () => {
      database = await openTestDatabase();
      for (const sql of SLOW_COMMENTS) await database.prisma.$executeRawUnsafe(sql);
      const adapter = new PrismaPg({ connectionString: database.connectionString ?? '', max: 1 });
      prisma = new PrismaClient({ adapter: loggedAdapter(adapter, statements) });
    });
    beforeEach(async () => {
      await database.reset();
      const data = Array.from({ length: CHANGES }, (_, index) => ({ body: `b${index}`, postId: 1 }));
      ids = (await database.prisma.comment.createManyAndReturn({ data, select: { id: true } })).map(({ id }) => id);
    });
    afterEach(async () => {
      await Promise.all(apps.splice(0).map((app) => app.close()));
    });
    afterAll(async () => {
      await prisma.$disconnect();
      await database.close();
    });

    async function start(client: object, maxDuration: number): Promise<TestApp> {
      const app = await startTestApp({ platform, options: { limits: { maxDuration }, getClient: () => client } });
      apps.push(app);
      return app;
    }

    const changeAll = () => ({
      where: { id: 1 },
      data: { title: 'changed', comments: { update: ids.map((id) => ({ where: { id }, data: { body: 'changed' } })) } },
    });
    const countChanged = async () => [
      await database.prisma.comment.count({ where: { body: 'changed' } }),
      await database.prisma.post.count({ where: { title: 'changed' } }),
    ];

    it.each([
      ['the client itself', () => prisma],
      ['a client that is extended', () => prisma.$extends({ query: { $allOperations: ({ args, query }) => query(args) } })],
      ['a client that is bound to its caller', () => withRowLevelSecurity(prisma, { settings: { 'app.user_id': 1 } })],
    ])('rolls back a late write, and does not affect the next requests on its connection, with %s', async (_, clientOf) => {
      const app = await start(clientOf(), 300);
      const late = await app.rpc.call('post/update', changeAll());
      expect([late.status, late.headers['retry-after']]).toEqual([503, '1']);
      const next = await start(prisma, 10_000);
      const create = { model: 'tag', op: 'create', args: { data: { name: 'next' } } };
      const others = await Promise.all([
        next.rpc.sequential([create, { model: 'comment', op: 'count', args: {} }]),
        next.rpc.call('country/create', { data: { code: 'XX', name: 'next' } }),
      ]);
      expect(others.map(({ status }) => status)).toEqual([200, 201]);
      await sleep(100);
      expect(await countChanged()).toEqual([0, 0]);
      expect(await database.prisma.tag.count({ where: { name: 'next' } })).toBe(1);
    });

    it('is not the timeout of Prisma’s transactions if limits.maxDuration is Infinity', async () => {
      const options = {
        adapter: new PrismaPg({ connectionString: database.connectionString ?? '', max: 1 }),
        transactionOptions: { timeout: 100 },
      };
      const impatient = new PrismaClient(options);
      const app = await start(impatient, Infinity);
      expect((await app.rpc.call('post/update', changeAll())).status).toBe(200);
      expect(await countChanged()).toEqual([CHANGES, 1]);
      await impatient.$disconnect();
    });

    it('ends a request in a transaction of the application before the transaction ends', async () => {
      let client: object = prisma;
      const app = await startTestApp({ platform, options: { limits: { maxDuration: 300 }, getClient: () => client } });
      apps.push(app);
      const whole = prisma.$transaction(
        async (open) => {
          client = open;
          expect((await app.rpc.call('post/update', changeAll())).status).toBe(503);
          throw new Error('The application rolls back at once.');
        },
        { timeout: 20_000 },
      );
      await expect(whole).rejects.toThrow('at once');
      await prisma.tag.create({ data: { name: 'after' } });
      await sleep(200);
      expect(await countChanged()).toEqual([0, 0]);
    });

    it('prevents reads that still wait for a connection after it', async () => {
      const app = await start(prisma, 200);
      await Promise.all([app.rest.get('/tag'), app.rpc.call('tag/findMany', {})]);
      const blocked = Promise.all([prisma.$queryRawUnsafe('SELECT pg_sleep(2)::text')]);
      await sleep(20);
      statements.clear();
      const answers = await Promise.all([
        app.rest.get('/tag'),
        app.rpc.call('tag/findMany', { where: { name: { contains: 'a' } } }),
        app.rpc.sequential([
          { model: 'tag', op: 'count', args: {} },
          { model: 'tag', op: 'findMany', args: {} },
        ]),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
      await blocked;
      await sleep(200);
      expect(statements.queries).toEqual([]);
    });

    it('prevents reads by key of a bound client that still wait for a connection after it', async () => {
      await prisma.$queryRawUnsafe('SELECT 1');
      const app = await start(withRowLevelSecurity(prisma, { settings: { 'app.user_id': 1 } }), 200);
      await Promise.all([app.rest.get('/tag/1'), app.rpc.call('tag/findUnique', { where: { id: 1 } })]);
      const blocked = Promise.all([prisma.$queryRawUnsafe('SELECT pg_sleep(2)::text')]);
      await sleep(20);
      statements.clear();
      const answers = await Promise.all([app.rest.get('/tag/1'), app.rpc.call('tag/findUnique', { where: { id: 1 } })]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503]);
      await blocked;
      await sleep(200);
      expect(statements.queries).toEqual([]);
    });

    it('prevents reads by key also if connectionTimeoutMillis passes, too', async () => {
      const pool = new Pool({ connectionString: database.connectionString, max: 1, connectionTimeoutMillis: 200 });
      const sent: string[] = [];
      pool.on('connect', (client) => {
        const query = client.query.bind(client) as (...given: readonly unknown[]) => unknown;
        const noted = (given: { readonly text: string }, ...more: readonly unknown[]): unknown => {
          sent.push(given.text);
          return query(given, ...more);
        };
        Object.assign(client, { query: noted });
      });
      const bounded = new PrismaClient({ adapter: new PrismaPg(pool) });
      const app = await start(bounded, 300);
      await Promise.all([app.rest.get('/tag/1'), app.rpc.call('tag/findUnique', { where: { id: 1 } })]);
      sent.length = 0;
      const blocked = Promise.all([bounded.$queryRawUnsafe('SELECT pg_sleep(2)::text')]);
      while (sent.length === 0) await sleep(5);
      const answers = await Promise.all([app.rest.get('/tag/1'), app.rpc.call('tag/findUnique', { where: { id: 1 } })]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503]);
      await blocked;
      await sleep(200);
      expect(sent).toEqual(['SELECT pg_sleep(2)::text']);
      await bounded.$disconnect();
      await pool.end();
    });
  });
});
