import { Logger } from '@nestjs/common';
import { type ResourceApiOptions, withRowLevelSecurity, withSqlReads } from 'nestjs-resource-api';
import { Client, Pool } from 'pg';
import { LogLines } from '../../support/log-lines.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, type Platform, startTestApp, type TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';

let database: TestDatabase;
let app: TestApp | undefined;

/** Lines about connections without a statement_timeout. */
const untimed = ({ logs }: LogLines): readonly string[] => logs.filter((text) => text.includes('statement_timeout'));

async function start(platform: Platform, getClient: () => object, options: Partial<ResourceApiOptions> = {}) {
  const logger = new LogLines();
  app = await startTestApp({ platform, logger, options: { getClient, ...options } });
  return { app, logger };
}

beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  await app?.close();
  Logger.overrideLogger(false);
});
afterAll(() => database.close());

onPlatforms('the warning about connections without a statement_timeout', (platform) => {
  it('is logged once by the first request that detects it, with its cost and the solution', async () => {
    const { app: served, logger } = await start(platform, () => database.prisma);
    expect((await served.rest.get('/post/1')).status).toBe(200);
    expect(untimed(logger)).toEqual([]);
    for (const path of ['/post', '/user', '/post']) expect((await served.rest.get(path)).status).toBe(200);
    expect(untimed(logger)).toEqual([
      'The connections of the data client have no statement_timeout of at most 5000 ms (limits.maxDuration). ' +
        'Without it, a read through Prisma takes three statements more, and a write one. ' +
        'Set it where they are made: new PrismaPg({ connectionString, statement_timeout: 5000 }); ' +
        'or, behind a connection pooler, for the role: ALTER ROLE … SET statement_timeout = 5000.',
    ]);
  });

  it('is logged also for a client with SQL reads through Prisma', async () => {
    const reader = withSqlReads(database.prisma);
    const { app: served, logger } = await start(platform, () => reader);
    await served.rest.get('/post');
    expect(untimed(logger)).toHaveLength(1);
  });

  it('is not logged without limits.maxDuration, nor for a client that sets the timeout when it binds its caller', async () => {
    const unlimited = await start(platform, () => database.prisma, { limits: { maxDuration: Infinity } });
    await unlimited.app.rest.get('/post');
    expect(untimed(unlimited.logger)).toEqual([]);
    await unlimited.app.close();
    const bound = withRowLevelSecurity(database.prisma, { settings: { 'app.user_id': '1' } });
    const own = await start(platform, () => bound);
    expect((await own.app.rest.get('/post')).status).toBe(200);
    expect(untimed(own.logger)).toEqual([]);
  });
});

onDatabases('postgresql-server').describe('the warning about a pool for SQL reads', () => {
  let pool: Pool;
  afterEach(() => pool.end());

  it.each<[what: string, config: object, lines: readonly string[]]>([
    [
      'without a statement_timeout',
      {},
      [
        'The connections of the pool that SQL runs on have no statement_timeout of at most 5000 ms (limits.maxDuration). ' +
          'Without it, a read runs in a transaction that sets it. ' +
          'Set it where they are made: new Pool({ connectionString, statement_timeout: 5000 }); ' +
          'or, behind a connection pooler, for the role: ALTER ROLE … SET statement_timeout = 5000.',
      ],
    ],
    ['with one', { statement_timeout: 4_000 }, []],
  ])('%s', async (_what, config, lines) => {
    pool = new Pool({ connectionString: database.connectionString, ...config });
    const reader = withSqlReads(database.prisma, { pool });
    const { app: served, logger } = await start('fastify', () => reader);
    for (const path of ['/post', '/user']) expect((await served.rest.get(path)).status).toBe(200);
    expect(untimed(logger)).toEqual(lines);
  });
});

onDatabases('postgresql-server').describe('the warning about a pool and a data client without a statement_timeout', () => {
  it('is logged once for each', async () => {
    const pool = new Pool({ connectionString: database.connectionString });
    const reader = withSqlReads(database.prisma, { pool });
    const { app: served, logger } = await start('fastify', () => reader);
    const body = { data: { type: 'tag', id: '1', attributes: { name: 'changed' } } };
    try {
      for (let times = 0; times < 2; times++) {
        expect((await served.rest.get('/post')).status).toBe(200);
        expect((await served.rest.request('PATCH', '/tag/1', { body })).status).toBe(200);
      }
    } finally {
      await pool.end();
    }
    const named = untimed(logger).map((line) => /^The connections of the (.+?) have/.exec(line)?.[1]);
    expect(named.sort()).toEqual(['data client', 'pool that SQL runs on']);
  });
});

onDatabases('postgresql-server').describe('a read of one record by its key, of a table that a migration locks', () => {
  it.each([
    ['waits for the lock if the pool has no statement_timeout, and keeps its connection', {}, 503],
    ['ends where the pool has one', { statement_timeout: 300 }, 200],
  ])('%s', async (_, config, status) => {
    const { connectionString } = database;
    const pool = new Pool({ connectionString, max: 1, ...config });
    const migration = new Client({ connectionString });
    await migration.connect();
    const reader = withSqlReads(database.prisma, { pool });
    const { app: served } = await start('fastify', () => reader, { limits: { maxDuration: 600 } });
    try {
      await served.rest.get('/user/1');
      await migration.query('BEGIN; LOCK TABLE "Post" IN ACCESS EXCLUSIVE MODE');
      expect((await served.rest.get('/post/1')).status).toBe(503);
      expect((await served.rest.get('/user/1')).status).toBe(status);
    } finally {
      await migration.query('ROLLBACK');
      await migration.end();
      await pool.end();
    }
  });
});
