import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool, type PoolConfig } from 'pg';
import { ConfigurationError, defineRules, type ResourceApiOptions, withSql } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import type { TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { type ServedOnPool, serveOnPool } from './logged-pool.js';

const WRITE = expect.stringMatching(/^WITH "w" AS \((?:INSERT INTO|UPDATE|DELETE FROM) .* RETURNING .*\) SELECT .* FROM "w" HAVING /);

const ANSWERED = expect.stringMatching(/^WITH "w" AS \((?:INSERT INTO|UPDATE) .* RETURNING .*\) SELECT "r" FROM "w" WHERE /);

const COUNTED = expect.stringMatching(/^(?:INSERT INTO|UPDATE|DELETE FROM) (?!.* RETURNING )/);

onDatabases('postgresql-server').describe('writes on a pool of node-postgres', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await database.prisma.$executeRawUnsafe('SELECT seed.restore()');
    database.statements.clear();
  });
  afterAll(() => database.close());

  /** Runs work with an application, and closes it afterwards. */
  async function serving(
    work: (served: ServedOnPool) => Promise<void>,
    config: PoolConfig = { statement_timeout: 4_000 },
    options: Partial<ResourceApiOptions> = {},
  ): Promise<void> {
    const served = await serveOnPool(database, { config, options, writes: true });
    const { app, trips, pool } = served;
    try {
      await app.rpc.call('tag/findUnique', { where: { id: 1 } });
      trips.length = 0;
      database.statements.clear();
      await work(served);
    } finally {
      await app.close();
      await pool.end();
    }
  }

  const titleOf = async (id: number): Promise<string | undefined> => (await database.prisma.post.findUnique({ where: { id } }))?.title;

  it('are one statement in one round trip each, and none through Prisma', async () => {
    await serving(async ({ app, trips, declined }) => {
      const author = { data: { type: 'user', id: 1 } };
      const { status } = await app.rest.post('/post', { data: { type: 'post', attributes: { title: 'New' }, relationships: { author } } });
      await app.rpc.call('post/update', { where: { id: 1 }, data: { viewCount: { increment: 1 } } });
      await app.rest.request('DELETE', '/comment/1');
      expect([status, declined, database.statements.all]).toEqual([201, [], []]);
      expect(trips.filter(([text]) => text?.startsWith('SELECT extract') === false)).toEqual(Array(3).fill([WRITE]));
    });
  });

  it('of many rows are one statement in one round trip each, which returns no rows', async () => {
    await serving(async ({ app, trips, declined }) => {
      const counts = [
        await app.rpc.call('tag/createMany', { data: [{ name: 'a' }, { id: 99, name: 'b' }] }),
        await app.rpc.call('post/updateMany', { where: { id: { lte: 3 } }, data: { viewCount: { increment: 1 } } }),
        await app.rpc.call('comment/deleteMany', { where: { id: { in: [1, 2, 99] } } }),
      ].map(({ data }) => data);
      expect([counts, declined, database.statements.all]).toEqual([[{ count: 2 }, { count: 3 }, { count: 2 }], [], []]);
      expect(trips.filter(([text]) => text?.startsWith('SELECT extract') === false)).toEqual(Array(3).fill([COUNTED]));
    });
  });

  it('that upsert are one statement in one round trip each, which returns whether it has created the row', async () => {
    await serving(async ({ app, trips, declined }) => {
      const meta = { operation: 'upsert', matchFields: ['name'] };
      const upsert = () => app.rest.post('/tag', { data: { type: 'tag', attributes: { name: 'new' } }, meta });
      const statuses = [(await upsert()).status, (await upsert()).status];
      const args = { where: { name: 'new' }, create: { name: 'new' }, update: { name: 'newer' } };
      expect((await app.rpc.call('tag/upsert', args)).data).toMatchObject({ name: 'newer' });
      expect([statuses, declined, database.statements.all]).toEqual([[201, 200], [], []]);
      expect(trips.filter(([text]) => text?.startsWith('SELECT extract') === false)).toEqual(Array(3).fill([WRITE]));
      expect(trips.at(-1)).toEqual([
        expect.stringContaining(' ON CONFLICT ("name") DO UPDATE SET "name" = $2 WHERE t0."name" = $3 RETURNING '),
      ]);
    });
  });

  it('that return many rows are one statement in one round trip each', async () => {
    await serving(async ({ app, trips, declined }) => {
      const answers = [
        await app.rpc.call('tag/createManyAndReturn', { data: [{ name: 'a' }, { id: 99, name: 'b' }], select: { name: true } }),
        await app.rpc.call('comment/updateManyAndReturn', { where: { id: 1 }, data: { body: 'x' }, select: { id: true, body: true } }),
      ].map(({ data }) => data);
      expect([answers, declined, database.statements.all]).toEqual([[[{ name: 'a' }, { name: 'b' }], [{ id: 1, body: 'x' }]], [], []]);
      expect(trips.filter(([text]) => text?.startsWith('SELECT extract') === false)).toEqual(Array(2).fill([ANSWERED]));
    });
  });

  it('that return many rows run in a read-write transaction with the timeout if the connection has none', async () => {
    await serving(
      async ({ app, trips }) => {
        const { data } = await app.rpc.call('post/updateManyAndReturn', {
          where: { id: 1 },
          data: { title: 'x' },
          select: { title: true },
        });
        expect(trips.at(-1)).toEqual(['BEGIN', expect.stringMatching(/^SELECT set_config/), ANSWERED, 'COMMIT']);
        expect([data, await titleOf(1)]).toEqual([[{ title: 'x' }], 'x']);
      },
      {},
      { limits: { maxDuration: 5000 } },
    );
  });

  it('are not stored if they would return more rows than limits.maxTake', async () => {
    await serving(
      async ({ app, declined }) => {
        const update = (last: number) =>
          app.rpc.call('post/updateManyAndReturn', { where: { id: { lte: last } }, data: { title: 'x' }, select: { id: true } });
        const { status, error } = await update(4);
        expect([status, error.message, await titleOf(1)]).toEqual([400, expect.stringContaining('limits.maxTake'), 'Post 01']);
        expect(declined.map(({ reason }) => reason)).toEqual(['PostgreSQL refused the statement']);
        expect([(await update(3)).status, await titleOf(1)]).toEqual([200, 'x']);
        expect(declined).toHaveLength(1);
      },
      undefined,
      { limits: { maxTake: 3 } },
    );
  });

  it('are not stored if their rows together exceed limits.maxResponseSize', async () => {
    await serving(
      async ({ app, declined }) => {
        await database.prisma.post.updateMany({ where: { id: { lte: 4 } }, data: { content: 'x'.repeat(100_000) } });
        const update = (last: number) => app.rpc.call('post/updateManyAndReturn', { where: { id: { lte: last } }, data: { title: 'y' } });
        expect([(await update(4)).status, await titleOf(1)]).toEqual([400, 'Post 01']);
        expect(declined.map(({ reason }) => reason)).toEqual(['PostgreSQL refused the statement']);
        expect((await app.rpc.call('post/updateManyAndReturn', { where: { id: 5 }, data: { title: 'y' } })).status).toBe(200);
        expect(declined).toHaveLength(1);
      },
      undefined,
      { limits: { maxResponseSize: '250kb' } },
    );
  });

  it('of many rows run in a transaction with the timeout if the connection has none', async () => {
    await serving(
      async ({ app, trips }) => {
        const { data } = await app.rpc.call('post/updateMany', { where: { id: 1 }, data: { title: 'x' } });
        expect(trips.at(-1)).toEqual(['BEGIN', expect.stringMatching(/^SELECT set_config/), COUNTED, 'COMMIT']);
        expect([data, await titleOf(1)]).toEqual([{ count: 1 }, 'x']);
      },
      {},
      { limits: { maxDuration: 5000 } },
    );
  });

  it('run in a transaction with the timeout if the connection has none', async () => {
    await serving(
      async ({ app, trips }) => {
        await app.rpc.call('post/update', { where: { id: 1 }, data: { title: 'x' } });
        expect(trips.at(-1)).toEqual(['BEGIN', expect.stringMatching(/^SELECT set_config/), WRITE, 'COMMIT']);
        expect(await titleOf(1)).toBe('x');
      },
      {},
      { limits: { maxDuration: 5000 } },
    );
  });

  it('are not stored if their response would exceed limits.maxResponseSize', async () => {
    await serving(
      async ({ app, declined }) => {
        const content = 'x'.repeat(300_000);
        await database.prisma.post.update({ where: { id: 1 }, data: { content } });
        const { status } = await app.rpc.call('post/update', { where: { id: 1 }, data: { title: 'changed' } });
        expect([status, await titleOf(1)]).toEqual([400, 'Post 01']);
        expect(declined.map(({ reason }) => reason)).toEqual(['PostgreSQL refused the statement']);
        expect((await app.rpc.call('post/update', { where: { id: 2 }, data: { title: 'changed' } })).status).toBe(200);
      },
      undefined,
      { limits: { maxResponseSize: '250kb' } },
    );
  });

  it('are executed by Prisma if their row has a value that JavaScript cannot represent', async () => {
    await serving(async ({ app, declined }) => {
      await database.prisma.$executeRaw`UPDATE "Post" SET metadata = '{"__proto__": 1}' WHERE id = 1`;
      await database.prisma.$executeRaw`UPDATE "Post" SET "publishedAt" = '12026-01-01' WHERE id = 2`;
      await app.rpc.call('post/update', { where: { id: 1 }, data: { title: 'x' } });
      await app.rpc.call('post/update', { where: { id: 2 }, data: { title: 'x' } });
      expect(declined.map(({ reason }) => reason)).toEqual(Array(2).fill('PostgreSQL refused the statement'));
      expect(await titleOf(1)).toBe('x');
    });
  });

  it('have a required version in their condition', async () => {
    await serving(
      async ({ app, trips, declined }) => {
        const patch = (name: string, tag: string): ReturnType<typeof app.rest.patch> =>
          app.rest.patch('/tag/1', { data: { type: 'tag', id: 1, attributes: { name } } }, { 'If-Match': tag });
        const tag = String((await app.rest.get('/tag/1')).headers['etag']);
        trips.length = 0;
        expect([(await patch('first', tag)).status, declined]).toEqual([200, []]);
        expect(trips.at(-1)).toEqual([WRITE]);
        expect([(await patch('second', tag)).status, (await app.rest.get('/tag/1')).one.attributes['name']]).toEqual([412, 'first']);
      },
      undefined,
      { resources: { Tag: { concurrency: 'offered' } } },
    );
  });

  it.each<[string, Partial<ResourceApiOptions>, Readonly<Record<string, string>>]>([
    ['rules', { rules: defineRules<PrismaClient>()({ '*': true }) }, {}],
    ['a key', { idempotency: { caller: () => 'caller' } }, { 'Idempotency-Key': '8e03978e-40d5-43dd-bc93-6894a57f9324' }],
  ])('are executed by Prisma with %s', async (_, options, headers) => {
    await serving(
      async ({ app, trips, declined }) => {
        const update = () => app.rpc.call('tag/update', { where: { id: 1 }, data: { name: 'x' } }, { headers });
        expect([(await update()).status, (await update()).status]).toEqual([200, 200]);
        const isKeyed = 'Idempotency-Key' in headers;
        expect(declined).toEqual(isKeyed ? [{ model: 'Tag', operation: 'update', reason: 'a write with an Idempotency-Key' }] : []);
        expect(trips.flat().filter((text) => text.startsWith('UPDATE'))).toEqual([]);
      },
      undefined,
      options,
    );
  });

  describe('that a trigger delays', () => {
    beforeAll(async () => {
      await database.prisma.$executeRawUnsafe(
        `CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.8); RETURN NEW; END'`,
      );
      await database.prisma.$executeRawUnsafe('CREATE TRIGGER delay BEFORE UPDATE ON "Post" FOR EACH ROW EXECUTE FUNCTION delay()');
    });
    afterAll(async () => {
      await database.prisma.$executeRawUnsafe('DROP FUNCTION delay() CASCADE');
    });

    const update = ({ rpc }: TestApp) => rpc.call('post/update', { where: { id: 1 }, data: { title: 'late' } });

    it('are not stored if statement_timeout cancels them', async () => {
      await serving(
        async ({ app }) => {
          const { status } = await update(app);
          expect([status, await titleOf(1)]).toEqual([503, 'Post 01']);
          expect((await app.rpc.call('tag/update', { where: { id: 1 }, data: { name: 'x' } })).status).toBe(200);
        },
        { statement_timeout: 300 },
      );
    });

    it.each<[string, (app: TestApp) => ReturnType<TestApp['rpc']['call']>]>([
      ['one row', update],
      ['a list of rows', ({ rpc }) => rpc.call('post/updateManyAndReturn', { where: { id: 1 }, data: { title: 'late' } })],
    ])('are answered with 500 and "did not confirm this write" if the connection is lost: %s', async (_, write) => {
      await serving(async ({ app }) => {
        const response = write(app);
        await new Promise((resolve) => setTimeout(resolve, 300));
        await database.prisma
          .$queryRaw`SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE query LIKE '%UPDATE %RETURNING%' AND pid <> pg_backend_pid() AND datname = current_database()`;
        const { status, error } = await response;
        expect([status, error.message]).toEqual([500, expect.stringContaining('did not confirm this write')]);
        expect(await titleOf(1)).toBe('Post 01');
      });
    });
  });

  it('are executed once, by Prisma, if a trigger skips the row that they insert', async () => {
    const { prisma } = database;
    await prisma.$executeRawUnsafe(
      `CREATE FUNCTION elsewhere() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO "Category" (slug, name) VALUES (NEW.name, NEW.name); RETURN NULL; END'`,
    );
    await prisma.$executeRawUnsafe('CREATE TRIGGER elsewhere BEFORE INSERT ON "Tag" FOR EACH ROW EXECUTE FUNCTION elsewhere()');
    try {
      await serving(async ({ app, declined }) => {
        // Prisma's client returns no row, which its types do not describe.
        const { status, text } = await app.agent.post('/api/rpc/tag/create').send({ data: { name: 'moved' } });
        expect([status, text]).toEqual([201, '{"data":null}']);
        expect(declined.map(({ reason }) => reason)).toEqual(['PostgreSQL refused the statement']);
        expect(await prisma.category.count({ where: { name: 'moved' } })).toBe(1);
      });
    } finally {
      await prisma.$executeRawUnsafe('DROP FUNCTION elsewhere() CASCADE');
    }
  });

  it('are rejected without a pool, and with relationMode "prisma"', () => {
    const { prisma } = database;
    expect(() => withSql(prisma, { writes: true })).toThrow(ConfigurationError);
    const pool = new Pool({ max: 1 });
    const inlineSchema = 'datasource db {\n  provider = "postgresql"\n  relationMode = "prisma"\n}';
    const withRelationMode = new Proxy(prisma, {
      get: (target, name) => (name === '_engineConfig' ? { inlineSchema } : (Reflect.get(target, name) as unknown)),
    });
    expect(() => withSql(withRelationMode, { pool, writes: true })).toThrow(/relationMode/);
    expect(() => withSql(withRelationMode, { pool })).not.toThrow();
  });
});
