import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { type DeclinedSqlRead, withRowLevelSecurity, withSql } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { IS_LONG, seededRuns } from '../../support/long-tests.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { describeOnServer } from '../policy/engines.js';
import { readState, withoutTime } from '../rules/inspected-client.js';
import { installPolicies, removePolicies, ROLE } from '../rules/policies.js';
import { WRITES } from '../rpc/differential-writes.js';
import { restWrite } from '../security/support/random-rest-write.js';
import { rpcWrite } from '../security/support/random-rpc-write.js';

const RUNS = Number(process.env['RANDOM_REQUESTS'] ?? (IS_LONG ? 2_000 : 200)) / 2;

/** An answer, and what the tables hold after it. */
interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly state: string;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const TYPE = { 'Content-Type': 'application/vnd.api+json' };
const rest = (method: 'DELETE' | 'PATCH' | 'POST', path: string, data?: object): OutgoingRequest => ({
  method,
  path: `/api/rest${path}`,
  ...(data && { headers: TYPE, body: JSON.stringify({ data }) }),
});

describeOnServer('writes in SQL and by Prisma', () => {
  let database: TestDatabase;
  let pool: Pool;
  let caller: number | undefined;
  let apps: { readonly fast: TestApp; readonly plain: TestApp; readonly bound: TestApp; readonly boundPlain: TestApp };
  const declined: DeclinedSqlRead[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    const { prisma, connectionString } = database;
    pool = new Pool({ connectionString, max: 2, statement_timeout: 4_000 });
    const fast = withSql(prisma, { pool, writes: true, onDecline: (one) => declined.push(one) });
    const asCaller = (client: typeof prisma): object =>
      withRowLevelSecurity(client, { role: ROLE, settings: { 'app.user_id': caller ?? '' } });
    const start = (getClient: () => object): Promise<TestApp> => startTestApp({ platform: 'fastify', options: { getClient } });
    apps = {
      fast: await start(() => fast),
      plain: await start(() => prisma),
      bound: await start(() => asCaller(fast)),
      boundPlain: await start(() => asCaller(prisma)),
    };
  }, 60_000);
  beforeEach(() => {
    declined.length = 0;
    caller = undefined;
  });
  afterAll(async () => {
    for (const app of Object.values(apps)) await app.close();
    await pool.end();
    await database.close();
  });

  type Ask = (app: TestApp) => Promise<Pick<Outcome, 'status' | 'text'>>;

  async function outcomeOf(app: TestApp, ask: Ask): Promise<Outcome> {
    await database.prisma.$executeRawUnsafe('SELECT seed.restore()');
    const { status, text } = await ask(app);
    return { status, text: masked(text), state: masked(await readState(database.prisma)) };
  }

  /** Whether SQL has written. */
  async function compare(ask: Ask, one = apps.fast, other = apps.plain): Promise<boolean> {
    const before = declined.length;
    const outcome = await outcomeOf(one, ask);
    const isInSql = declined.length === before;
    const expected = await outcomeOf(other, ask);
    // Where Prisma has written for both, its lists have the order that the database happens to have.
    expect(outcome).toEqual(isInSql || outcome.status >= 400 ? expected : { ...expected, text: outcome.text });
    return isInSql && outcome.status < 300;
  }

  it.each(WRITES.map(([path, args]) => ({ path, args })))('write and answer alike: $path $args', async ({ path, args }) => {
    await compare(({ rpc }) => rpc.call(path, args));
  });

  it.each([
    rest('POST', '/tag', { type: 'tag', attributes: { name: 'new' } }),
    rest('POST', '/post', {
      type: 'post',
      attributes: {
        title: `'); DROP TABLE "Post"; --`,
        keywords: ['a,"b', String.raw`{\}`],
        rating: '4.75',
        publishedAt: '2026-02-03T04:05:06.789Z',
      },
      relationships: { author: { data: { type: 'user', id: 1 } }, category: { data: null } },
    }),
    rest('POST', '/post', { type: 'post', attributes: { title: 'New', metadata: { a: [1, { b: null }] }, authorId: 2, reviewerId: 3 } }),
    rest('PATCH', '/post/1', { type: 'post', id: 1, attributes: { content: null, viewCount: 99, published: false } }),
    rest('PATCH', '/post/2', {
      type: 'post',
      id: 2,
      relationships: { reviewer: { data: null }, category: { data: { type: 'category', id: 2 } } },
    }),
    rest('PATCH', '/post/1/relationships/reviewer', { type: 'user', id: 2 }),
    rest('DELETE', '/comment/1'),
  ])('are done by SQL: %j', async (request) => {
    expect(await compare(sending(request))).toBe(true);
  });

  it.each([
    ['tag/createMany', { data: [{ name: 'a' }, { name: 'b' }] }],
    ['tag/createMany', { data: [{ name: 'a' }, { name: 'nest' }, { name: 'a' }], skipDuplicates: true }],
    ['tag/createMany', { data: [{ name: 'nest' }], skipDuplicates: true }],
    [
      'comment/createMany',
      {
        data: [
          { body: 'a', postId: 1 },
          { body: `'); DROP TABLE "Post"; --`, postId: 2, authorId: 1, id: 99 },
        ],
      },
    ],
    [
      'post/createMany',
      {
        data: [
          { title: 'a', authorId: 1, keywords: ['a,"b'], metadata: { a: null } },
          { title: 'b', authorId: 2 },
        ],
      },
    ],
    ['post/updateMany', { where: { published: false }, data: { viewCount: 0 } }],
    ['post/updateMany', { where: {}, data: { viewCount: { increment: 1 }, content: null } }],
    ['post/updateMany', { where: { id: -1 }, data: { viewCount: 1 } }],
    ['post/updateMany', { where: { comments: { some: { id: { gt: 3 } } } }, data: { keywords: { set: [] } } }],
    ['post/updateMany', { where: { OR: [] }, data: { viewCount: 1 } }],
    ['comment/deleteMany', { where: {} }],
    ['comment/deleteMany', { where: { id: -1 } }],
    ['comment/deleteMany', { where: { NOT: { body: { contains: '%' } } } }],
  ])('are done by SQL, and counted: %s %j', async (path, args) => {
    const isInSql = await compare(({ rpc }) => rpc.call(path, args));
    expect([isInSql, declined.map(({ reason }) => reason)]).toEqual([true, []]);
  });

  it.each([
    ['tag/createMany', { data: [] }, 'no record'],
    ['tag/createMany', { data: Array.from({ length: 501 }, (_, id) => ({ id: id + 100, name: `tag ${id}` })) }, 'more than 1000 values'],
    ['tag/createManyAndReturn', { data: [{ name: 'a' }] }, 'an answer of several rows'],
    ['tag/updateMany', { where: {}, data: { name: 'x' }, limit: 0 }, 'the argument limit'],
    ['comment/deleteMany', { where: {}, limit: 2 }, 'the argument limit'],
    ['comment/deleteMany', { where: { post: { title: 'x' } } }, 'a condition on other rows'],
  ])('are left to Prisma: %s', async (path, args, reason) => {
    await compare(({ rpc }) => rpc.call(path, args));
    expect(declined.map((one) => one.reason)).toContain(reason);
  });

  it.each([
    ['tag/createMany', { data: [{ name: 'a' }, { name: 'nest' }] }, 400],
    [
      'comment/createMany',
      {
        data: [
          { body: 'a', postId: 1 },
          { body: 'b', postId: 99 },
        ],
      },
      404,
    ],
    ['post/updateMany', { where: {}, data: { viewCount: { increment: 2_147_483_647 } } }, 400],
    ['user/deleteMany', { where: {} }, 400],
    ['post/updateMany', { where: { id: -1 }, data: { authorId: 99 } }, 404],
    ['comment/createMany', { data: [{ id: 1, body: 'a', postId: 99 }], skipDuplicates: true }, 404],
  ])('fail alike, all of them: %s %j', async (path, args, status) => {
    await compare(({ rpc }) => rpc.call(path, args));
    expect((await outcomeOf(apps.fast, ({ rpc }) => rpc.call(path, args))).status).toBe(status);
  });

  it.each([
    ['a row that is not there', rest('PATCH', '/post/99', { type: 'post', id: 99, attributes: { title: 'x' } }), 404],
    ['a delete of it', rest('DELETE', '/post/99'), 404],
    [
      'a link to a row that is not there',
      rest('PATCH', '/post/1', { type: 'post', id: 1, relationships: { author: { data: { type: 'user', id: 99 } } } }),
      404,
    ],
    ['a key that is taken', rest('POST', '/tag', { type: 'tag', attributes: { name: 'nest' } }), 409],
    ['a row that others refer to', rest('DELETE', '/user/1'), 409],
    [
      'a number out of range',
      {
        method: 'PATCH',
        path: '/api/rpc/post/update',
        headers: JSON_TYPE,
        body: '{"where":{"id":1},"data":{"viewCount":{"increment":2147483647}}}',
      },
      400,
    ],
  ] as const)('fail alike, and write nothing: %s', async (_, request, status) => {
    await compare(sending(request));
    expect((await outcomeOf(apps.fast, sending(request))).status).toBe(status);
  });

  const OPTIONS = seededRuns(RUNS);
  const styles = [
    ['REST', restWrite],
    ['RPC', rpcWrite],
  ] as const;

  it.each(styles)(
    'random writes of %s are alike',
    async (_, requests) => {
      let written = 0;
      const property = fc.asyncProperty(requests, async (request) => {
        if (await compare(sending(request))) written++;
      });
      await fc.assert(property, OPTIONS);
      // Refusals, and what is left to Prisma, would prove little.
      expect(written).toBeGreaterThan(RUNS / 50);
    },
    3_600_000,
  );

  it.each(styles)(
    'random writes of %s are alike under row-level security',
    async (_, requests) => {
      await installPolicies(database.prisma);
      try {
        let written = 0;
        const property = fc.asyncProperty(requests, fc.constantFrom(undefined, 1, 2, 3, 4), async (request, id) => {
          caller = id;
          if (await compare(sending(request), apps.bound, apps.boundPlain)) written++;
        });
        await fc.assert(property, OPTIONS);
        expect(written).toBeGreaterThan(0);
      } finally {
        await removePolicies(database.prisma);
      }
    },
    3_600_000,
  );
});

const sending =
  (request: OutgoingRequest) =>
  ({ agent }: Pick<TestApp, 'agent'>) =>
    sendRequest(agent, request);

/** Without what each write makes of its own. */
function masked(text: string): string {
  return withoutTime(text)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uuid')
    .replaceAll(/\bc[a-z0-9]{24}\b/g, 'cuid');
}
