import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { comparable } from './comparable.js';
import { type Call, COUNTING, FILTERING, FINDING, ORDERING, SELECTING } from './differential-reads.js';
import { WRITES } from './differential-writes.js';

/** Nothing hidden: what Prisma gives, the API gives. */
const OPEN = { read: true, filter: true, sort: true, create: true, update: true } as const;
const OPEN_FIELDS = { passwordHash: OPEN, recoveryCode: OPEN, pin: OPEN, loginCount: OPEN, locale: OPEN };

describe('an RPC call gives what the same call on the Prisma client gives', () => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database, options: { resources: { User: { fields: OPEN_FIELDS } } } });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('in 150 calls at least', () => {
    expect([FINDING, SELECTING, COUNTING, FILTERING, ORDERING, WRITES].flat().length).toBeGreaterThanOrEqual(150);
  });

  describe.each([
    ['finding', FINDING],
    ['selecting', SELECTING],
    ['counting and aggregating', COUNTING],
    ['filtering', FILTERING],
    ['ordering', ORDERING],
  ])('%s', (_, calls) => {
    it.each(calls.map(([operation, args]) => [operation, args] as const))('%s %j', async (operation, args) => {
      const expected = comparable(await direct([operation, args]));
      expect(comparable(await remote([operation, args]))).toEqual(expected);
    });
  });

  describe('writing', () => {
    it.each(WRITES)('%s %j', async (operation, args) => {
      const expected = await resultAndState(direct, [operation, args]);
      expect(await resultAndState(remote, [operation, args])).toEqual(expected);
    });
  });

  async function direct([operation, args]: Call): Promise<unknown> {
    const [delegate = '', method = ''] = operation.split('/');
    const delegates = database.prisma as unknown as Record<string, Record<string, (args?: unknown) => Promise<unknown>>>;
    return delegates[delegate]?.[method]?.(args);
  }

  async function remote([operation, args]: Call): Promise<unknown> {
    return (await app.rpc.call(operation, args)).data;
  }

  /** What a write gives, and all that the database then holds. */
  async function resultAndState(run: (call: Call) => Promise<unknown>, call: Call): Promise<unknown> {
    await database.reset();
    const result = comparable(await run(call));
    return { result, state: await state() };
  }

  async function state(): Promise<unknown> {
    const { prisma } = database;
    const byId = { orderBy: { id: 'asc' } } as const;
    const tables = await Promise.all([
      prisma.user.findMany({ ...byId, include: { profile: true } }),
      prisma.post.findMany({ ...byId, include: { tags: byId, comments: byId } }),
      prisma.category.findMany(byId),
      prisma.tag.findMany(byId),
      prisma.order.findMany({ ...byId, include: { lines: { orderBy: { productId: 'asc' }, include: { refunds: byId } } } }),
      prisma.product.findMany({ orderBy: { sku: 'asc' } }),
      prisma.warehouse.findMany({ orderBy: { name: 'asc' } }),
      prisma.country.findMany({ orderBy: { code: 'asc' } }),
      prisma.translation.findMany({ orderBy: [{ locale: 'asc' }, { key: 'asc' }] }),
      prisma.exchangeRate.findMany({ orderBy: [{ currency: 'asc' }, { day: 'asc' }] }),
      prisma.auditEvent.findMany(byId),
      prisma.specimen.findMany(byId),
    ]);
    return comparable(tables);
  }
});
