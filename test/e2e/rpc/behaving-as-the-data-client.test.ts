import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onDatabases, THIS_DATABASE } from '../../support/databases/this-database.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { comparable } from './comparable.js';
import { type Call, READS } from './differential-reads.js';
import { WRITES } from './differential-writes.js';

/** All rights, so that the API returns the same fields as Prisma. */
const OPEN = { read: true, filter: true, sort: true, create: true, update: true } as const;
const OPEN_FIELDS = { passwordHash: OPEN, recoveryCode: OPEN, pin: OPEN, loginCount: OPEN, locale: OPEN };

/** Features that only PostgreSQL has: lists of scalars, `mode`, `skipDuplicates`, returned rows of writes of many. */
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

/** Rules with conditions that every row meets. */
const EVERY_ROW = Object.fromEntries(
  Object.entries(resourceSchema.models).map(([model, { primaryKey }]) => {
    const [field] = primaryKey.fields;
    return [model, { '*': { NOT: { [field]: { in: [] } } } }];
  }),
);

/** The setups. Under such rules, calls are executed as under restrictive ones, e.g. nested writes row by row. */
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

/** Whether a term is like `{ author: { name: 'asc' } }`, and not like `{ content: { sort, nulls } }`. */
function isRelationOrder(term: unknown): boolean {
  return Object.entries(term as object).some(([key, value]: readonly [string, unknown]) => {
    return !key.startsWith('_') && typeof value === 'object' && value !== null && !('sort' in value);
  });
}

describe.each(WAYS)('an RPC call returns the same as the call of the Prisma client%s', (_way, options) => {
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

  onDatabases('postgresql').it('has at least 150 cases', () => {
    expect([...READS.flatMap(([, calls]) => calls), ...WRITES].length).toBeGreaterThanOrEqual(150);
  });

  describe.each(READS)('%s', (_, calls) => {
    it.each(
      calls
        .filter(isOffered)
        .filter(isComparable)
        .filter(isInTurn)
        .map(([operation, args]) => [operation, args] as const),
    )('%s %j', async (operation, args) => {
      const expected = comparable(await direct([operation, args]));
      expect(comparable(await remote([operation, args]))).toEqual(expected);
    });
  });

  describe('writing', () => {
    it.each(WRITES.filter(isOffered).filter(isComparable).filter(isInTurn))('%s %j', async (operation, args) => {
      const expected = await resultAndState(direct, [operation, args]);
      expect(await resultAndState(remote, [operation, args])).toEqual(expected);
    });
  });

  /**
   * Whether a call has the same result under rules. They reject an order by related rows that they restrict (docs/policies.md), and MySQL does not
   * report which rows `skipDuplicates` has skipped.
   */
  function isComparable([, args]: Call): boolean {
    const text = JSON.stringify([args], plain);
    const isSkipping = THIS_DATABASE === 'mariadb' && text.includes('skipDuplicates');
    return !('rules' in options) || !(ordersByRelation(args) || isSkipping);
  }

  /** Whether `npm test` runs a call: one in six, and one in twenty under rules, which have their own suites. */
  function isInTurn(_call: Call, index: number): boolean {
    return sample.choose(index % ('rules' in options ? 20 : 6) === 0, true);
  }

  async function direct([operation, args]: Call): Promise<unknown> {
    const [delegate = '', method = ''] = operation.split('/');
    // The name of the operation is a value of the table.
    const delegates = database.prisma as unknown as Record<string, Record<string, (args?: unknown) => Promise<unknown>>>;
    return delegates[delegate]?.[method]?.(args);
  }

  async function remote([operation, args]: Call): Promise<unknown> {
    return (await app.rpc.call(operation, args)).data;
  }

  /** Returns the result of a write, and all rows of the database after it. */
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
