import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withRowLevelSecurity } from '../../../lib/index.js';
import { IS_LONG } from '../../support/long.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import type { TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { installPolicies, removePolicies, ROLE } from '../rules/policies.js';
import { WRITES } from '../rpc/differential-writes.js';
import { restWrite } from '../security/support/random-rest-write.js';
import { rpcWrite } from '../security/support/random-rpc-write.js';
import { maskedAnswer } from './masked-answer.js';
import { type Send, type Outcome, Share, twoWriters } from './two-writers.js';

const RUNS = Number(process.env['RANDOM_REQUESTS'] ?? (IS_LONG ? 2_000 : 80)) / 2;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const TYPE = { 'Content-Type': 'application/vnd.api+json' };
const rest = (method: 'DELETE' | 'PATCH' | 'POST', path: string, data?: object): OutgoingRequest => ({
  method,
  path: `/api/rest${path}`,
  ...(data && { headers: TYPE, body: JSON.stringify({ data }) }),
});

const rpc = (body: string): OutgoingRequest => ({ method: 'PATCH', path: '/api/rpc/post/update', headers: JSON_TYPE, body });

onDatabases('postgresql-server').describe('writes in SQL and by Prisma', () => {
  const writers = twoWriters();
  const { declined } = writers;
  let caller: number | undefined;
  let apps: { readonly fast: TestApp; readonly plain: TestApp; readonly bound: TestApp; readonly boundPlain: TestApp };

  beforeAll(async () => {
    const { client, database, fast, plain } = writers.started;
    const asCaller = (one: typeof client): object => withRowLevelSecurity(one, { role: ROLE, settings: { 'app.user_id': caller ?? '' } });
    const bound = await writers.start(() => asCaller(client));
    apps = { fast, plain, bound, boundPlain: await writers.start(() => asCaller(database.prisma)) };
  }, 60_000);
  beforeEach(() => {
    caller = undefined;
  });

  const outcomeOf = (app: TestApp, send: Send): Promise<Outcome> => writers.outcomeOf(app, send, maskedAnswer);

  /** Whether SQL has written. */
  async function compare(send: Send): Promise<boolean> {
    const { status, isInSql } = await writers.compareWrites(send);
    return isInSql && status < 300;
  }

  it.each(WRITES.map(([path, args]) => ({ path, args })))('store and return the same: $path $args', async ({ path, args }) => {
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
    rest('POST', '/warehouse', { type: 'warehouse', attributes: { name: 'New', countryCode: 'CH' } }),
    rest('DELETE', '/comment/1'),
    // Prisma does not set `updatedAt` if the only change is a disconnect.
    rpc('{"where":{"id":1},"data":{"category":{"disconnect":true},"reviewer":{"disconnect":true}}}'),
    rpc('{"where":{"id":1},"data":{"category":{"disconnect":true},"author":{"connect":{"id":2}}}}'),
  ])('are executed in SQL: %j', async (request) => {
    expect(await compare(sending(request))).toBe(true);
  });

  it.each([
    ['tag/createMany', { data: [{ name: 'a' }, { name: 'b' }] }],
    ['tag/createMany', { data: [{ name: 'a' }, { name: 'nest' }, { name: 'a' }], skipDuplicates: true }],
    ['tag/createMany', { data: [{ name: 'nest' }], skipDuplicates: true }],
    [
      'warehouse/createMany',
      {
        data: [
          { name: 'a', countryCode: 'CH' },
          { id: 'own', name: 'b', countryCode: 'DE' },
        ],
      },
    ],
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
    ['comment/deleteMany', { where: { post: { title: { contains: '1' } } } }],
    ['comment/deleteMany', { where: { OR: [{ author: null }, { post: { author: { name: 'Ada Lovelace' } } }] } }],
    ['comment/updateMany', { where: { post: { published: true }, NOT: { author: { id: 1 } } }, data: { body: 'x' } }],
    ['post/updateMany', { where: { id: 1 }, data: { metadata: 'DbNull' } }],
    ['specimen/updateMany', { where: { id: 1 }, data: { float: Number.MAX_VALUE, floatList: [0.30000000000000004] } }],
    ['post/createMany', { data: [{ title: 'x', authorId: 1, metadata: 'JsonNull' }] }],
    ['post/updateMany', { where: { id: { lt: 4 } }, data: {} }],
  ])('are executed in SQL, and return a count: %s %j', async (path, args) => {
    const isInSql = await compare(({ rpc }) => rpc.call(path, args));
    expect([isInSql, declined.map(({ reason }) => reason)]).toEqual([true, []]);
  });

  it.each([
    ['tag/createManyAndReturn', { data: [{ name: 'b' }, { name: 'a' }] }],
    ['tag/createManyAndReturn', { data: { name: 'a' }, select: { name: true } }],
    ['tag/createManyAndReturn', { data: [{ name: 'z' }, { id: 99, name: 'a' }, { name: 'nest' }, { name: 'z' }], skipDuplicates: true }],
    ['tag/createManyAndReturn', { data: [{ name: 'nest' }], skipDuplicates: true }],
    [
      'post/createManyAndReturn',
      {
        data: [
          { title: 'a', authorId: 1, keywords: ['a,"b'], metadata: { a: null }, rating: '4.75', publishedAt: '2026-02-03T04:05:06.789Z' },
          { title: `'); DROP TABLE "Post"; --`, authorId: 2 },
        ],
      },
    ],
    ['order/createManyAndReturn', { data: [{ number: 'N-1', customerId: 4, address: 'text', dueOn: '2026-02-03T00:00:00.000Z' }] }],
    ['profile/createManyAndReturn', { data: [{ userId: 4, bio: 'x' }], omit: { bio: true } }],
    ['post/updateManyAndReturn', { where: { published: false }, data: { viewCount: 0 } }],
    [
      'post/updateManyAndReturn',
      { where: {}, data: { viewCount: { increment: 1 }, content: null }, select: { viewCount: true, id: true } },
    ],
    ['post/updateManyAndReturn', { where: { id: -1 }, data: { viewCount: 1 } }],
    ['post/updateManyAndReturn', { where: { comments: { some: { id: { gt: 3 } } } }, data: { keywords: { set: [] } } }],
    ['comment/updateManyAndReturn', { where: { id: { in: [1, 2, 3] } }, data: { authorId: 2, postId: 1 } }],
    ['comment/updateManyAndReturn', { where: { post: { title: 'Post 01' } }, data: { body: 'x' } }],
    ['post/updateManyAndReturn', { where: { id: { lt: 4 } }, data: {} }],
  ])('are executed in SQL, and return their rows: %s %j', async (path, args) => {
    const isInSql = await compare(({ rpc }) => rpc.call(path, args));
    expect([isInSql, declined.map(({ reason }) => reason)]).toEqual([true, []]);
  });

  it.each([
    ['tag/createMany', { data: [] }, 'no record'],
    ['tag/createMany', { data: Array.from({ length: 501 }, (_, id) => ({ id: id + 100, name: `tag ${id}` })) }, 'more than 1000 values'],
    [
      'post/updateManyAndReturn',
      { where: { id: { lt: 4 } }, data: { title: 'x' }, include: { author: true } },
      'an answer with more than the fields of the rows',
    ],
    [
      'comment/createManyAndReturn',
      { data: [{ body: 'a', postId: 2 }], include: { post: true } },
      'an answer with more than the fields of the rows',
    ],
    ['post/updateManyAndReturn', { where: {}, data: { keywords: { push: 'x' } } }, 'the operation push of a field'],
    ['tag/createManyAndReturn', { data: [] }, 'no record'],
    ['comment/createManyAndReturn', { data: [{ id: 1, body: 'a', postId: 99 }], skipDuplicates: true }, 'PostgreSQL refused the statement'],
    ['comment/updateManyAndReturn', { where: { id: -1 }, data: { postId: 1 } }, 'PostgreSQL refused the statement'],
  ])('are executed by Prisma: %s', async (path, args, reason) => {
    await compare(({ rpc }) => rpc.call(path, args));
    expect(declined.map((one) => one.reason)).toContain(reason);
  });

  it.each([
    ['tag/updateManyAndReturn', { where: {}, data: { name: 'x' }, limit: 1 }],
    ['tag/updateMany', { where: {}, data: { name: 'x' }, limit: 0 }],
    ['comment/deleteMany', { where: {}, limit: 2 }],
  ])('are executed in SQL with a limit: %s', async (path, args) => {
    await compare(({ rpc }) => rpc.call(path, args));
    expect(declined).toEqual([]);
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
    ['tag/createManyAndReturn', { data: [{ name: 'a' }, { name: 'nest' }] }, 400],
    ['tag/updateManyAndReturn', { where: {}, data: { name: 'x' } }, 400],
    ['post/updateManyAndReturn', { where: {}, data: { authorId: 99 } }, 404],
    ['post/createManyAndReturn', { data: [{ title: 'a', authorId: 99 }] }, 404],
    ['post/updateManyAndReturn', { where: {}, data: { viewCount: { increment: 2_147_483_647 } } }, 400],
    ['comment/createMany', { data: [{ id: 1, body: 'a', postId: 99 }], skipDuplicates: true }, 404],
  ])('fail with the same error, and write no row: %s %j', async (path, args, status) => {
    await compare(({ rpc }) => rpc.call(path, args));
    expect((await outcomeOf(apps.fast, ({ rpc }) => rpc.call(path, args))).status).toBe(status);
  });

  it.each([
    ['a missing row', rest('PATCH', '/post/99', { type: 'post', id: 99, attributes: { title: 'x' } }), 404],
    ['a delete of a missing row', rest('DELETE', '/post/99'), 404],
    [
      'a link to a missing row',
      rest('PATCH', '/post/1', { type: 'post', id: 1, relationships: { author: { data: { type: 'user', id: 99 } } } }),
      404,
    ],
    ['a key that is taken', rest('POST', '/tag', { type: 'tag', attributes: { name: 'nest' } }), 409],
    ['a row that others refer to', rest('DELETE', '/user/1'), 409],
    ['a number out of range', rpc('{"where":{"id":1},"data":{"viewCount":{"increment":2147483647}}}'), 400],
  ] as const)('fail with the same error, and write nothing: %s', async (_, request, status) => {
    await compare(sending(request));
    expect((await outcomeOf(apps.fast, sending(request))).status).toBe(status);
  });

  const OPTIONS = { numRuns: RUNS };
  const styles = [
    ['REST', restWrite],
    ['RPC', rpcWrite],
  ] as const;

  it.each(styles)(
    'random writes of %s return and store the same',
    async (_, requests) => {
      const share = new Share();
      const property = fc.asyncProperty(requests, async (request) => {
        share.add(await writers.compareWrites(sending(request)));
      });
      await fc.assert(property, OPTIONS);
      // A test with only rejected and declined writes would prove little.
      share.expectMost(RUNS / 50);
    },
    3_600_000,
  );

  it.each(styles)(
    'random writes of %s return and store the same under row-level security',
    async (_, requests) => {
      const { prisma } = writers.started.database;
      await installPolicies(prisma);
      try {
        const share = new Share();
        const property = fc.asyncProperty(requests, fc.constantFrom(undefined, 1, 2, 3, 4), async (request, id) => {
          caller = id;
          share.add(await writers.compareWrites(sending(request), { fast: apps.bound, plain: apps.boundPlain }));
        });
        await fc.assert(property, OPTIONS);
        share.expectMost(0);
      } finally {
        await removePolicies(prisma);
      }
    },
    3_600_000,
  );
});

const sending =
  (request: OutgoingRequest) =>
  ({ agent }: Pick<TestApp, 'agent'>) =>
    sendRequest(agent, request);
