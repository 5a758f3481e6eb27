import { describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { type ClientProcess, startClient } from './client-process.js';
import { hide } from './fetch-client.values.mjs';

const when = new Date('2026-02-03T04:05:06.789Z');

/** Reads, which must return the same as the data client. */
const READS: readonly (readonly [model: string, operation: string, args: unknown])[] = [
  ['post', 'findMany', { orderBy: { id: 'asc' } }],
  [
    'post',
    'findMany',
    {
      where: { createdAt: { gt: new Date('2026-01-04T00:00:00Z') } },
      orderBy: { id: 'desc' },
      include: { author: { select: { name: true } }, tags: true },
    },
  ],
  ['post', 'findMany', { where: { title: 'nothing' } }],
  ['post', 'findUnique', { where: { id: 1 }, select: { rating: true, createdAt: true, _count: true } }],
  ['post', 'findUnique', { where: { id: 999 } }],
  ['post', 'findUniqueOrThrow', { where: { id: 2 } }],
  ['post', 'findFirst', { where: { published: false }, orderBy: { id: 'asc' } }],
  ['post', 'findFirstOrThrow', { orderBy: { createdAt: 'desc' } }],
  ['post', 'count', { where: { createdAt: { lte: when } } }],
  ['post', 'count', { where: { id: -1 } }],
  ['post', 'aggregate', { _count: true, _avg: { rating: true }, _sum: { viewCount: true }, _max: { createdAt: true } }],
  ['post', 'groupBy', { by: ['authorId'], _count: { _all: true }, _max: { createdAt: true }, orderBy: { authorId: 'asc' } }],
  ['specimen', 'findMany', { orderBy: { id: 'asc' } }],
];

// Bytes are sent as typed arrays of superjson, because the client has not registered the custom type.
sample.omitted.describe('@zenstackhq/fetch-client', () => {
  onPlatforms('on', (platform) => {
    let database: TestDatabase;
    let app: TestApp;
    let client: ClientProcess;
    const call = (model: string, operation: string, args?: unknown): Promise<unknown> =>
      client.run(`${app.url}/api/rpc`, 'call', model, operation, hide(args));
    const direct = async (model: string, operation: string, args?: unknown): Promise<unknown> => {
      const delegate = (database.prisma as unknown as Record<string, Record<string, (args: unknown) => Promise<unknown>>>)[model];
      return hide(await delegate?.[operation]?.(args));
    };

    beforeAll(async () => {
      database = await openTestDatabase();
      app = await startTestApp({ platform, database, options: { rpc: { prefix: 'api/rpc', bytes: 'typed-array' } } });
      client = startClient('fetch-client.client.mjs');
    });
    beforeEach(() => database.reset());
    afterAll(async () => {
      await client.stop();
      await app.close();
      await database.close();
    });

    it.each(READS)('%s.%s(%j) returns the same as the data client', async (model, operation, args) => {
      expect(await call(model, operation, args)).toEqual(await direct(model, operation, args));
    });

    it('creates, updates, upserts and deletes, with dates', async () => {
      const created = { title: 'By another client', authorId: 1, publishedAt: when, createdAt: when };
      const post = await call('post', 'create', { data: created, select: { id: true, publishedAt: true } });
      expect(post).toEqual({ id: 13, publishedAt: hide(when) });
      const later = new Date('2027-01-01T00:00:00Z');
      expect(
        await call('post', 'update', { where: { id: 13, createdAt: when }, data: { publishedAt: later }, select: { publishedAt: true } }),
      ).toEqual({
        publishedAt: hide(later),
      });
      expect(await call('tag', 'upsert', { where: { id: 5 }, create: { name: 'x' }, update: { name: 'used' } })).toEqual({
        id: 5,
        name: 'used',
      });
      expect(await call('post', 'delete', { where: { id: 13 }, select: { title: true } })).toEqual({ title: 'By another client' });
    });

    it('writes many at once', async () => {
      expect(await call('tag', 'createMany', { data: [{ name: 'a' }, { name: 'b' }] })).toEqual({ count: 2 });
      expect(await call('tag', 'createManyAndReturn', { data: [{ name: 'c' }], select: { name: true } })).toEqual([{ name: 'c' }]);
      expect(await call('post', 'updateMany', { where: { createdAt: { lt: when } }, data: { viewCount: 1 } })).toEqual({ count: 12 });
      expect(
        await call('post', 'updateManyAndReturn', { where: { id: 1 }, data: { viewCount: { increment: 1 } }, select: { viewCount: true } }),
      ).toEqual([{ viewCount: 2 }]);
      expect(await call('comment', 'deleteMany', { where: { createdAt: { lt: when } } })).toEqual({ count: 20 });
    });

    it('writes and reads every type', async () => {
      const bytes = Uint8Array.of(0, 1, 254, 255);
      const data = { bigInt: 2n ** 60n, bytes, dateTime: when };
      expect(await call('specimen', 'update', { where: { id: 1 }, data, select: { bigInt: true, bytes: true, dateTime: true } })).toEqual(
        hide(data),
      );
      expect(
        await call('specimen', 'findFirst', { where: { bytes: { equals: bytes }, bigInt: data.bigInt }, select: { id: true } }),
      ).toEqual({ id: 1 });
    });

    it('executes a transaction with dates, which is rolled back as a whole', async () => {
      const run = (operations: unknown): Promise<unknown> => client.run(`${app.url}/api/rpc`, 'transaction', hide(operations));
      const operations = [
        { model: 'Tag', op: 'create', args: { data: { name: 'in one' } } },
        { model: 'Post', op: 'update', args: { where: { id: 1 }, data: { publishedAt: when }, select: { publishedAt: true } } },
        { model: 'Post', op: 'count', args: { where: { publishedAt: when } } },
      ];
      expect(await run(operations)).toEqual([{ id: 6, name: 'in one' }, { publishedAt: hide(when) }, 1]);
      await expect(
        run([
          { model: 'Tag', op: 'create', args: { data: { name: 'lost' } } },
          { model: 'Post', op: 'delete', args: { where: { id: 999 } } },
        ]),
      ).rejects.toThrow();
      expect(await call('tag', 'count', { where: { name: 'lost' } })).toBe(0);
    });

    it('reads an error response', async () => {
      const refusal = (model: string, operation: string, args: unknown): Promise<unknown> =>
        client.run(`${app.url}/api/rpc`, 'refusal', model, operation, hide(args));
      expect(await refusal('user', 'findMany', { where: { passwordHash: { startsWith: '$' } } })).toMatchObject({
        status: 400,
        info: { message: expect.stringContaining('where.passwordHash') },
      });
      expect(await refusal('tag', 'create', { data: { name: 'nest' } })).toMatchObject({ status: 400, info: { orm: true, code: 'P2002' } });
      expect(await refusal('post', 'delete', { where: { id: 999 } })).toMatchObject({ status: 404, info: { orm: true, code: 'P2025' } });
    });
  });
});

describe('the values that travel to a client process', () => {
  it('keep their types', () => {
    expect(hide({ a: [when, 1n, Uint8Array.of(1)] })).toEqual({
      a: [
        { $type: 'Date', value: when.toISOString() },
        { $type: 'bigint', value: '1' },
        { $type: 'Bytes', value: [1] },
      ],
    });
  });
});
