import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool, type PoolConfig } from 'pg';
import { type ResourceApiOptions, type RowLevelSecurityOptions, withRowLevelSecurity, withSqlReads } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { logged, type ServedOnPool, serveOnPool } from './logged-pool.js';

onDatabases('postgresql-server').describe('reads on a pool of node-postgres', () => {
  let database: TestDatabase;
  let connectionString: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    connectionString = database.connectionString ?? '';
  });
  afterAll(() => database.close());

  const serve = (config: PoolConfig, options: Partial<ResourceApiOptions> = {}): Promise<ServedOnPool> =>
    serveOnPool(database, { config, options });

  describe('with a statement_timeout', () => {
    let served: ServedOnPool;

    beforeAll(async () => {
      served = await serve({ statement_timeout: 4_000 }, { shareReads: true });
    });
    beforeEach(() => {
      database.statements.clear();
      served.trips.length = 0;
    });
    afterAll(async () => {
      await served.app.close();
      await served.pool.end();
    });

    it('are one statement each and none through Prisma, also for a page with its total and included relationships', async () => {
      const { app, trips, declined } = served;
      await app.rest.get('/post?include=author,comments.author,tags&page[limit]=5');
      trips.length = 0;
      for (let round = 0; round < 3; round++) {
        const { status } = await app.rest.get('/post?include=author,comments.author,tags&page[limit]=5');
        expect(status).toBe(200);
      }
      expect(trips.filter(([text]) => text?.startsWith('SELECT extract') === false)).toEqual(Array(3).fill([expect.any(String)]));
      expect(database.statements.all).toEqual([]);
      expect(declined).toEqual([]);
    });

    it('count a total once for all pages of one tick with shareReads', async () => {
      const { app, trips, declined, gather } = served;
      const paths = ['/post?page[limit]=3', '/post?sort=-id&page[limit]=2', '/post?include=comments&page[limit]=1', '/user?page[limit]=2'];
      const alone: string[] = [];
      for (const path of paths) alone.push((await app.rest.get(path)).text);
      const counts = trips.flat().filter((text) => text.includes('count(')).length;
      expect(counts).toBe(paths.length);
      trips.length = 0;
      const indexes = Array.from({ length: 12 }, (_, index) => index % paths.length);
      gather(indexes.length);
      const answers = await Promise.all(indexes.map((index) => app.rest.get(paths[index] ?? '')));
      expect(answers.map(({ text }) => text)).toEqual(indexes.map((index) => alone[index]));
      const counting = trips.filter((texts) => texts.some((text) => text.includes('count(')));
      // Of posts and of users.
      expect(counting).toEqual([[expect.any(String)], [expect.any(String)]]);
      expect(declined).toEqual([]);
    });

    it('return to concurrent requests with different values each its own rows', async () => {
      const ids = Array.from({ length: 40 }, (_, index) => (index % 12) + 1);
      const answers = await Promise.all(
        ids.map((id) => served.app.rpc.call('post/findUnique', { where: { id }, select: { id: true, title: true } })),
      );
      expect(answers.map(({ data }) => data)).toEqual(ids.map((id) => ({ id, title: `Post ${String(id).padStart(2, '0')}` })));
    });

    it('are executed by Prisma if PostgreSQL rejects the statement, and use the connection again', async () => {
      const { app, declined } = served;
      await database.prisma.$executeRaw`ALTER TABLE "Post" RENAME COLUMN "title" TO "heading"`;
      const { status } = await app.rpc.call('post/findMany', { where: { title: 'Post 01' } });
      await database.prisma.$executeRaw`ALTER TABLE "Post" RENAME COLUMN "heading" TO "title"`;
      expect(status).toBe(500);
      expect(declined.splice(0)).toEqual([{ model: 'Post', operation: 'findMany', reason: 'PostgreSQL refused the statement' }]);
      expect((await app.rpc.call('post/count')).data).toBe(12);
    });
  });

  it('count a total for each page, and send each read alone, without shareReads', async () => {
    const { app, trips, pool, gather } = await serve({ statement_timeout: 4_000, max: 8 });
    const paths = ['/post?page[limit]=3', '/post/1', '/post/2', '/tag?page[limit]=2'];
    for (const path of paths) await app.rest.get(path);
    trips.length = 0;
    gather(12);
    await Promise.all(Array.from({ length: 12 }, (_, index) => app.rest.get(paths[index % paths.length] ?? '')));
    const reads = trips.flat().filter((text) => text.includes('json_build_array'));
    expect(reads).toHaveLength(12);
    expect(trips.every((texts) => texts.filter((text) => text.includes('json_build_array')).length <= 1)).toBe(true);
    await app.close();
    await pool.end();
  });

  it('run in a transaction with the timeout if the connection has none, except reads of one row by its key', async () => {
    const { app, trips, pool } = await serve({}, { limits: { maxDuration: 5000 } });
    await app.rest.get('/post?page[limit]=2');
    expect(trips).toEqual([
      [expect.stringMatching(/^SELECT extract/)],
      ['BEGIN READ ONLY', expect.stringMatching(/^SELECT set_config/), expect.stringMatching(/json_build_array/), 'COMMIT'],
    ]);
    trips.length = 0;
    await app.rpc.call('post/findUnique', { where: { id: 1 } });
    expect(trips).toEqual([[expect.any(String)]]);
    await app.close();
    await pool.end();
  });

  it('are bound to a caller in a separate transaction in one round trip, and fail if they cannot be bound', async () => {
    const pool = new Pool({ connectionString, max: 1, statement_timeout: 4_000 });
    const trips = logged(pool);
    const fast = withSqlReads(database.prisma, { pool });
    let caller: RowLevelSecurityOptions = { settings: { 'app.user_id': 1 } };
    const app = await startTestApp({ platform: 'fastify', database, options: { getClient: () => withRowLevelSecurity(fast, caller) } });
    trips.length = 0;
    expect((await app.rpc.call('post/findUnique', { where: { id: 1 }, select: { id: true } })).data).toEqual({ id: 1 });
    expect(trips).toEqual([
      [
        'BEGIN READ ONLY',
        expect.stringMatching(/^SELECT set_config\(\$1, \$2, true\)/),
        expect.stringMatching(/json_build_array/),
        'COMMIT',
      ],
    ]);
    caller = { role: 'no_such_role' };
    expect((await app.rpc.call('post/findUnique', { where: { id: 1 }, select: { id: true } })).status).toBe(500);
    const { rows } = await pool.query("SELECT current_setting('app.user_id', true) AS id");
    expect(rows).toEqual([{ id: '' }]);
    await app.close();
    await pool.end();
  });

  it('end after the timeout, and their connection is used again', async () => {
    const { app, pool } = await serve({ max: 1 }, { limits: { maxDuration: 500 } });
    const lock = new Pool({ connectionString, max: 1 });
    const holder = await lock.connect();
    await holder.query('BEGIN; LOCK TABLE "Tag" IN ACCESS EXCLUSIVE MODE');
    const { status } = await app.rest.get('/tag');
    expect(status).toBe(503);
    const { status: next } = await app.rest.get('/post?page[limit]=1');
    expect(next).toBe(200);
    await holder.query('ROLLBACK');
    holder.release();
    await lock.end();
    await app.close();
    await pool.end();
  });
});
