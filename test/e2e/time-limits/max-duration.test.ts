import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { expectIdle } from '../../support/expect-idle.js';
import { onPlatforms, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { type ResourceApiOptions, withRowLevelSecurity } from 'nestjs-resource-api';

const TAG = { data: { type: 'tag', attributes: { name: 'slow' } } };

onPlatforms('limits.maxDuration', (platform) => {
  const apps: TestApp[] = [];
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });

  async function start(client: object, options: TestAppOptions['options'] = {}): Promise<TestApp> {
    const app = await startTestApp({ platform, options: { limits: { maxDuration: 50 }, getClient: () => client, ...options } });
    apps.push(app);
    return app;
  }

  const never = (): Promise<never> => new Promise(() => undefined);

  it('causes a 503 with Retry-After in both styles', async () => {
    const app = await start({ tag: { findMany: never, count: never, findUnique: never, findFirst: never } });
    const rest = await app.rest.get('/tag/1');
    expect([rest.status, rest.headers['retry-after'], rest.errors[0]?.code]).toEqual([503, '1', 'unavailable']);
    expect(rest.errors[0]?.detail).toMatch(/limits\.maxDuration allows: 50 ms/);
    expect((await app.rest.get('/tag')).status).toBe(503);
    expect((await app.rpc.call('tag/findMany')).status).toBe(503);
    expect((await app.rpc.sequential([{ model: 'tag', op: 'count', args: {} }])).status).toBe(503);
  });

  it('causes a 500 outcome-unknown for a write without a transaction', async () => {
    const app = await start({ tag: { create: never } });
    const response = await app.rest.post('/tag', TAG);
    expect([response.status, response.errors[0]?.code]).toEqual([500, 'outcome-unknown']);
    expect(response.headers).not.toHaveProperty('retry-after');
  });

  it('rolls back a write in a transaction, and starts no further operation', async () => {
    const create = jest.fn(() => new Promise((resolve) => setTimeout(resolve, 200, { id: 1 })));
    const outcomes: string[] = [];
    const $transaction = (work: (open: object) => Promise<unknown>): Promise<unknown> =>
      work({ tag: { create } }).then(
        () => outcomes.push('COMMIT'),
        () => outcomes.push('ROLLBACK'),
      );
    const app = await start({ $transaction });
    const call = { model: 'tag', op: 'create', args: { data: { name: 'slow' } } };
    expect((await app.rpc.sequential([call, call])).status).toBe(503);
    while (outcomes.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(outcomes).toEqual(['ROLLBACK']);
    expect(create).toHaveBeenCalledTimes(1);
  });

  it('can be disabled', async () => {
    const client = { tag: { findUnique: () => new Promise((resolve) => setTimeout(resolve, 200, { id: 1, name: 'late' })) } };
    const app = await start(client, { limits: { maxDuration: Infinity } });
    expect((await app.rest.get('/tag/1')).one.attributes).toEqual({ name: 'late' });
  });
});

onPlatforms('a client that has disconnected', (platform) => {
  it('causes a rollback of its write, and no further operation', async () => {
    const begun = jest.fn<() => void>();
    let finish: (value: unknown) => void = () => undefined;
    const outcome = withResolvers();
    const create = (): Promise<unknown> => {
      begun();
      return new Promise((resolve) => (finish = resolve));
    };
    const $transaction = (work: (open: object) => Promise<unknown>): Promise<unknown> => {
      const done = work({ tag: { create } });
      done.then(
        () => {
          outcome.resolve('COMMIT');
        },
        () => {
          outcome.resolve('ROLLBACK');
        },
      );
      return done;
    };
    const app = await startTestApp({ platform, options: { getClient: () => ({ $transaction }) } });
    const body = JSON.stringify(['a', 'b'].map((name) => ({ model: 'tag', op: 'create', args: { data: { name } } })));
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(
      `POST /api/rpc/$transaction/sequential HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    while (begun.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    socket.destroy();
    await once(socket, 'close');
    await new Promise((resolve) => setTimeout(resolve, 50));
    finish({ id: 1 });
    expect(await outcome.promise).toBe('ROLLBACK');
    expect(begun).toHaveBeenCalledTimes(1);
    await app.close();
  });
});

function withResolvers(): { promise: Promise<string>; resolve: (value: string) => void } {
  let resolve: (value: string) => void = () => undefined;
  const promise = new Promise<string>((done) => (resolve = done));
  return { promise, resolve };
}

/** A row of the table takes 30 s to be read. */
const SLOW = [
  'ALTER TABLE "Tag" RENAME TO "SlowTag"',
  'CREATE VIEW "Tag" AS SELECT id, name FROM "SlowTag" CROSS JOIN (SELECT pg_sleep(30)) AS slow',
];
const QUICK = ['DROP VIEW "Tag"', 'ALTER TABLE "SlowTag" RENAME TO "Tag"'];

onDatabases('postgresql-server').describe('limits.maxDuration on PostgreSQL', () => {
  onPlatforms('is enforced by the database itself', (platform) => {
    let database: TestDatabase;

    const execute = async (statements: readonly string[]): Promise<void> => {
      for (const sql of statements) await database.prisma.$executeRawUnsafe(sql);
    };
    beforeAll(async () => {
      database = await openTestDatabase();
      await execute(SLOW);
    });
    afterAll(async () => {
      await execute(QUICK);
      await database.close();
    });

    it.each([
      ['the client itself', () => database.prisma],
      ['a client bound to its caller', () => withRowLevelSecurity(database.prisma, { settings: { 'app.user_id': 1 } })],
    ])('with %s', async (_, getClient) => {
      const app = await startTestApp({ platform, options: { getClient, limits: { maxDuration: 300 } } });
      const answers = [
        await app.rest.get('/tag'),
        await app.rpc.call('tag/findMany', { where: { name: { contains: 'a' } } }),
        await app.rpc.call('tag/groupBy', { by: ['name'] }),
        await app.rest.get('/post?filter[tags][name]=x'),
        await app.rpc.sequential([{ model: 'tag', op: 'count', args: {} }]),
        await app.rpc.call('post/findUnique', { where: { id: 1, tags: { some: { name: { not: 'x' } } } } }),
        await app.rpc.call('post/findUnique', {
          where: { id: 1, AND: [{ NOT: { tags: { none: { name: { not: 'x' } } } } }] },
          select: { id: true },
        }),
      ];
      expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(answers.map(() => [503, '1']));
      await expectIdle(database);
      await app.close();
    });

    it('with a rule that reads related rows', async () => {
      const rules: ResourceApiOptions['rules'] = { 'Post': { read: { tags: { some: { name: { not: 'x' } } } } }, '*': true };
      const options = { getClient: () => database.prisma, limits: { maxDuration: 300 }, rules };
      const app = await startTestApp({ platform, options });
      expect((await app.rest.get('/post/1')).status).toBe(503);
      expect((await app.rpc.call('post/findUnique', { where: { id: 1 } })).status).toBe(503);
      await expectIdle(database);
      await app.close();
    });

    it('does not override a shorter statement_timeout of the connection, and costs no statement then', async () => {
      const getClient = () => database.prisma;
      await database.prisma.$executeRawUnsafe('SELECT 1');
      database.statements.clear();
      const app = await startTestApp({ platform, options: { getClient, limits: { maxDuration: 60_000 } } });
      await execute([`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = 2000', current_database()); END $$`]);
      await database.prisma.$executeRawUnsafe(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await database.prisma.$queryRawUnsafe('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
      await app.rest.get('/country').catch(() => undefined);
      await app.rest.get('/country');
      database.statements.clear();
      expect((await app.rest.get('/country')).status).toBe(200);
      expect(database.statements.all).toEqual([expect.stringContaining('"Country"'), expect.stringContaining('COUNT')]);
      expect((await app.rest.get('/tag')).status).toBe(503);
      await app.close();
    });
  });
});
