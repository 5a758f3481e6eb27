import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { type DeclinedSqlRead, type ResourceApiOptions, withRowLevelSecurity, withSqlReads } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { PrismaClient } from '../../support/generated/prisma/client.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';

interface Both {
  /** The answers of REST and RPC, with SQL reads and by Prisma. */
  readonly request: (rest: string, rpc: string, args: object) => Promise<readonly (readonly [fast: string, plain: string])[]>;
  readonly declined: DeclinedSqlRead[];
}

describe('reads in SQL and by Prisma', () => {
  const open: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  /** Starts two applications whose clients have the same connection options. */
  async function both(
    config: { readonly connectionString: string; readonly statement_timeout?: number },
    options: Partial<Pick<ResourceApiOptions, 'limits'>> = {},
    bind: (client: PrismaClient) => object = (client) => client,
  ): Promise<Both> {
    const prisma = new PrismaClient({ adapter: new PrismaPg(config) });
    const pool = new Pool(config);
    const declined: DeclinedSqlRead[] = [];
    const fast = withSqlReads(prisma, { pool, onDecline: (read) => declined.push(read) });
    const apps: TestApp[] = [];
    for (const client of [fast, prisma]) {
      apps.push(await startTestApp({ platform: 'fastify', options: { ...options, getClient: () => bind(client) } }));
    }
    open.push(
      ...apps.map((app) => () => app.close()),
      () => pool.end(),
      () => prisma.$disconnect(),
    );
    const request: Both['request'] = async (rest, rpc, args) => {
      const query = encodeURIComponent(JSON.stringify(args));
      const answers = [`/api/rest/${rest}`, `/api/rpc/${rpc}?q=${query}`].map(async (path): Promise<readonly [string, string]> => {
        const [one = '', other = ''] = await Promise.all(
          apps.map(async ({ agent }) => {
            const { status, text } = await agent.get(path);
            // The id of each error is random.
            return `${status} ${text.replace(/"id":"[0-9a-f-]{36}"/g, '"id":"…"')}`;
          }),
        );
        return [one, other];
      });
      return Promise.all(answers);
    };
    return { request, declined };
  }

  it('return the same 503 with Prisma’s code if the database is unreachable', async () => {
    const { request } = await both({ connectionString: 'postgresql://postgres@127.0.0.1:1/none' });
    for (const [fast, plain] of await request('post/1', 'post/findMany', {})) {
      expect(fast).toBe(plain);
      expect(plain).toMatch(/^503 .*P1001/);
    }
  });

  onDatabases('postgresql-server').describe('on a server', () => {
    let database: TestDatabase;
    let connectionString: string;

    beforeAll(async () => {
      database = await openTestDatabase();
      connectionString = database.connectionString ?? '';
    });
    afterAll(() => database.close());

    it('return the same 503 after statement_timeout', async () => {
      const { request, declined } = await both({ connectionString, statement_timeout: 300 });
      const lock = new Pool({ connectionString, max: 1 });
      const holder = await lock.connect();
      await holder.query('BEGIN; LOCK TABLE "Tag" IN ACCESS EXCLUSIVE MODE');
      const answers = await request('tag', 'tag/findMany', {});
      await holder.query('ROLLBACK');
      holder.release();
      await lock.end();
      for (const [fast, plain] of answers) {
        expect(fast).toBe(plain);
        expect(plain).toMatch(/^503 .*P2039/);
      }
      expect(declined).toEqual([]);
    });

    it('return the same JSON with the key __proto__, and the same dates after the year 9999', async () => {
      const { request, declined } = await both({ connectionString });
      await database.prisma.$executeRaw`UPDATE "Post" SET metadata = '{"__proto__": {"a": 1}, "b": 2}' WHERE id = 1`;
      await database.prisma.$executeRaw`UPDATE "Profile" SET birthday = '12026-01-01' WHERE id = 1`;
      for (const [fast, plain] of [
        ...(await request('post/1', 'post/findMany', { orderBy: { id: 'asc' } })),
        ...(await request('profile/1', 'profile/findMany', { orderBy: { id: 'asc' } })),
      ])
        expect(fast).toBe(plain);
      expect(declined.map(({ reason }) => reason).sort()).toEqual([
        ...Array<string>(2).fill('a Json value with the key __proto__'),
        ...Array<string>(2).fill('a date that JavaScript does not have'),
      ]);
      await database.reset();
    });

    it('return the same rows under a policy whose function writes', async () => {
      const { prisma } = database;
      // Roles belong to the whole server.
      const role = `reads_alike_${process.pid}`;
      for (const statement of [
        `CREATE ROLE ${role}`,
        'CREATE TABLE seen (id int)',
        `GRANT SELECT ON "Tag" TO ${role}`,
        `CREATE FUNCTION see(id int) RETURNS boolean LANGUAGE sql VOLATILE SECURITY DEFINER AS 'INSERT INTO seen VALUES (id); SELECT true'`,
        'ALTER TABLE "Tag" ENABLE ROW LEVEL SECURITY',
        'CREATE POLICY see ON "Tag" USING (see(id))',
      ])
        await prisma.$executeRawUnsafe(statement);
      try {
        const { request, declined } = await both({ connectionString }, {}, (client) => withRowLevelSecurity(client, { role }));
        for (const [fast, plain] of await request('tag', 'tag/findMany', { orderBy: { id: 'asc' } })) {
          expect(fast).toBe(plain);
          expect(plain).toMatch(/^200 .*typescript/);
        }
        expect(declined.map(({ reason }) => reason)).toEqual(Array(2).fill('PostgreSQL refused the statement'));
      } finally {
        await prisma.$executeRawUnsafe('ALTER TABLE "Tag" DISABLE ROW LEVEL SECURITY');
        await prisma.$executeRawUnsafe(`DROP OWNED BY ${role}`);
        await prisma.$executeRawUnsafe(`DROP ROLE ${role}`);
      }
    });

    it('count a long row that many rows include once, and abort a response that exceeds maxResponseSize while its rows arrive', async () => {
      const { request, declined } = await both({ connectionString }, { limits: { maxResponseSize: '500kb' } });
      const { prisma } = database;
      await prisma.post.update({ where: { id: 1 }, data: { content: 'x'.repeat(300_000) } });
      await prisma.comment.createMany({ data: Array.from({ length: 60 }, () => ({ body: 'hello', postId: 1 })) });
      const [[rest, plainRest] = [], [rpc, plainRpc] = []] = await request(
        'comment?include=post&filter[body]=hello&page[limit]=100',
        'comment/findMany',
        { where: { body: 'hello' }, include: { post: true }, orderBy: { id: 'asc' } },
      );
      expect(rest).toBe(plainRest);
      expect(rest).toMatch(/^200 /);
      expect(rpc).toBe(plainRpc);
      expect(rpc).toMatch(/^400 .*limits\.maxResponseSize/);
      await prisma.post.updateMany({ data: { content: 'x'.repeat(300_000) } });
      for (const [fast, plain] of await request('post', 'post/findMany', { orderBy: { id: 'asc' } })) {
        expect(fast).toBe(plain);
        expect(fast).toMatch(/^400 .*limits\.maxResponseSize/);
      }
      expect(declined).toEqual([]);
      await database.reset();
    });
  });
});
