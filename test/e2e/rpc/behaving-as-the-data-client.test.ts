import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onDatabases, THIS_DATABASE } from '../../support/databases/this-database.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { comparable } from './comparable.js';
import { type Call, READS } from './differential-reads.js';
import { WRITES } from './differential-writes.js';

/** Nothing hidden: what Prisma gives, the API gives. */
const OPEN = { read: true, filter: true, sort: true, create: true, update: true } as const;
const OPEN_FIELDS = { passwordHash: OPEN, recoveryCode: OPEN, pin: OPEN, loginCount: OPEN, locale: OPEN };

/** What other databases than PostgreSQL lack: lists of scalars, `mode`, `skipDuplicates`, rows of what many are written. */
const LACKING = {
  postgresql: /(?!)/,
  sqlite: /keywords|List\b|insensitive|skipDuplicates|"path"/,
  mariadb: /keywords|List\b|insensitive|AndReturn|"path"/,
};

function isOffered(call: Call): boolean {
  return !LACKING[THIS_DATABASE].test(JSON.stringify(call, plain));
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Rules that every row meets, and that say so of each. */
const EVERY_ROW = Object.fromEntries(
  Object.entries(resourceSchema.models).map(([model, { primaryKey }]) => {
    const [field] = primaryKey.fields;
    return [model, { '*': { NOT: { [field]: { in: [] } } } }];
  }),
);

/** Under such rules all calls go the way of those that rules narrow, nested writes one row after the other. */
const WAYS = [
  ['', {}],
  [' · under row rules that every row meets', { rules: EVERY_ROW }],
] as const;

function ordersByRelation(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]: readonly [string, unknown]) => {
    const terms = key === 'orderBy' ? [member].flat() : [];
    return terms.some(isRelationOrder) || ordersByRelation(member);
  });
}

/** `{ author: { name: 'asc' } }`, and no `{ content: { sort, nulls } }`. */
function isRelationOrder(term: unknown): boolean {
  return Object.entries(term as object).some(([key, value]: readonly [string, unknown]) => {
    return !key.startsWith('_') && typeof value === 'object' && value !== null && !('sort' in value);
  });
}

describe.each(WAYS)('an RPC call gives what the same call on the Prisma client gives%s', (_way, options) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database, options: { ...options, resources: { User: { fields: OPEN_FIELDS } } } });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  onDatabases('postgresql').it('in 150 calls at least', () => {
    expect([...READS.flatMap(([, calls]) => calls), ...WRITES].length).toBeGreaterThanOrEqual(150);
  });

  describe.each(READS)('%s', (_, calls) => {
    it.each(
      calls
        .filter(isOffered)
        .filter(isAsked)
        .filter(isInTurn)
        .map(([operation, args]) => [operation, args] as const),
    )('%s %j', async (operation, args) => {
      const expected = comparable(await direct([operation, args]));
      expect(comparable(await remote([operation, args]))).toEqual(expected);
    });
  });

  describe('writing', () => {
    it.each(WRITES.filter(isOffered).filter(isAsked).filter(isInTurn))('%s %j', async (operation, args) => {
      const expected = await resultAndState(direct, [operation, args]);
      expect(await resultAndState(remote, [operation, args])).toEqual(expected);
    });
  });

  /**
   * Rules differ in what docs/policies.md says: they refuse an order by related rows that they restrict, and MySQL does not report which rows
   * `skipDuplicates` left out.
   */
  function isAsked([, args]: Call): boolean {
    const text = JSON.stringify([args], plain);
    const isSkipping = THIS_DATABASE === 'mariadb' && text.includes('skipDuplicates');
    return !('rules' in options) || !(ordersByRelation(args) || isSkipping);
  }

  /** In `npm test`, one call in six, and one in twenty under the rules: all that is particular to these has suites of its own. */
  function isInTurn(_call: Call, index: number): boolean {
    return sample.choose(index % ('rules' in options ? 20 : 6) === 0, true);
  }

  async function direct([operation, args]: Call): Promise<unknown> {
    const [delegate = '', method = ''] = operation.split('/');
    // The operation is known at run time only.
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
