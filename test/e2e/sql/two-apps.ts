import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { type DeclinedSqlRead, withRowLevelSecurity, withSqlReads } from '../../../lib/index.js';
import { openTestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { resourceSchema as namesSchema } from '../../support/generated/names/resource-schema.js';
import { IS_LONG } from '../../support/long.js';
import { openNamesDatabase } from '../../support/names-database.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';
import { installPolicies, removePolicies, ROLE } from '../rules/policies.js';

const OPEN = { read: true, filter: true, sort: true } as const;
const OPEN_FIELDS = { passwordHash: OPEN, recoveryCode: OPEN, pin: OPEN, loginCount: OPEN, locale: OPEN };

export interface TwoApps {
  /** The reads that SQL has declined in this test. */
  readonly declined: DeclinedSqlRead[];
  /** Sends a request to both, and expects the same response byte for byte. Returns its status. */
  statusOf(request: OutgoingRequest): Promise<number>;
}

/** The schema and the database of the applications. */
export interface ServedDatabase {
  readonly prisma: object;
  /** Set if the database is on a server. */
  readonly connectionString?: string | undefined;
  readonly close: () => Promise<void>;
}

interface Served {
  readonly open: () => Promise<ServedDatabase>;
  readonly options: NonNullable<TestAppOptions['options']>;
  /** Binds the client of each application. */
  readonly bind?: (prisma: object) => object;
}

const PUBLISHER: Served = { open: openTestDatabase, options: { resources: { User: { fields: OPEN_FIELDS } } } };

/** Models whose relations and fields have the names of arguments. */
export const NAMES: Served = { open: openNamesDatabase, options: { schema: namesSchema } };

/** Both applications under policies that hide rows from their caller, including referenced ones. */
export const BOUND: Served = {
  ...PUBLISHER,
  open: async () => {
    const database = await openTestDatabase();
    const { prisma, connectionString } = database;
    await installPolicies(prisma);
    return { prisma, connectionString, close: () => removePolicies(prisma).then(() => database.close()) };
  },
  bind: (prisma) => withRowLevelSecurity(prisma as PrismaClient, { role: ROLE, settings: { 'app.user_id': 1 } }),
};

/** Two applications that differ only in `withSqlReads`; on a server, with a pool. */
export function useTwoApps({ open, options, bind = (prisma) => prisma }: Served = PUBLISHER): TwoApps {
  const declined: DeclinedSqlRead[] = [];
  let database: ServedDatabase;
  let pool: Pool | undefined;
  let apps: readonly TestApp[];

  beforeAll(async () => {
    database = await open();
    const { connectionString } = database;
    pool = connectionString === undefined ? undefined : new Pool({ connectionString, max: 2 });
    const fast = withSqlReads(database.prisma, { ...(pool && { pool }), onDecline: (read) => declined.push(read) });
    apps = await Promise.all(
      [fast, database.prisma].map((prisma) =>
        startTestApp({ platform: 'fastify', options: { ...options, getClient: () => bind(prisma) } }),
      ),
    );
  });
  beforeEach(() => void declined.splice(0));
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await pool?.end();
    await database.close();
  });

  return {
    declined,
    async statusOf(request) {
      const answers = await Promise.all(apps.map(({ agent }) => sendRequest(agent, request)));
      const [fast, plain] = answers.map(({ status, headers, text }) => ({ status, headers: { ...headers, date: undefined }, text }));
      expect(fast).toEqual(plain);
      return plain?.status ?? 0;
    },
  };
}

/** The number of reads of each style: in the long suites, 20,000 in total on a server. `SQL_READS=100 npx jest test/e2e/sql` sets another number. */
const RUNS = Number(process.env['SQL_READS'] ?? (IS_LONG ? (process.env['TEST_DATABASE_URL'] === undefined ? 1_500 : 10_000) : 30));

export const RANDOM_TIMEOUT = 60_000 + RUNS * 100;

/** The reasons for which a random read may be declined, as `docs/sql-reads.md` lists them. */
const REASONS = [
  /^a cursor in an order that may have nulls$/,
  /^a cursor in an order that leaves open which row comes first$/,
  /^a cursor of distinct rows$/,
  /^a count from a cursor$/,
  /^distinct without an order$/,
  /^the argument (?:cursor|distinct)$/,
  /^distinct values of /,
  /^not in not$/,
  /^a Json filter without (?:an operator|regard to case)$/,
  /^\w+ of a list of \w+$/,
  /^take in findFirst$/,
  /^several searches$/,
  /^a cursor of several keys$/,
  /^null for a key of several fields$/,
  /^a model whose members are called as connectives are$/,
  /^a read in a batch$/,
  /^an operation that has no form in SQL$/,
];

/** Reasons that decline a whole request, and are drawn often. */
const WHOLE = /^(?:a read in a batch|an operation that has no form in SQL)$/;

/** Reasons about cursors and unordered distinct rows, which are rare in practice but drawn often. */
const DRAWN_OFTEN = /^(?:a cursor (?:in an order .*|of distinct rows)|a count from a cursor|distinct without an order)$/;

/** @param share of the successful reads that may be declined for other reasons */
export async function compareRandomReads(apps: TwoApps, requests: fc.Arbitrary<OutgoingRequest>, share: number): Promise<void> {
  const { declined } = apps;
  let answered = 0;
  let answeredByPrisma = 0;
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const before = declined.length;
      if ((await apps.statusOf(request)) >= 300) return;
      answered += 1;
      if (declined.slice(before).some(({ reason }) => !DRAWN_OFTEN.test(reason) && !WHOLE.test(reason))) answeredByPrisma += 1;
    }),
    { numRuns: RUNS },
  );
  expect(answered).toBeGreaterThan(RUNS / 20);
  expect({ reasons: tally(declined), isSmall: answeredByPrisma <= Math.max(2, answered * share) }).toMatchObject({ isSmall: true });
  expect(declined.filter(({ reason }) => !REASONS.some((pattern) => pattern.test(reason)))).toEqual([]);
}

/** Counts how often each reason was reported. */
function tally(reads: readonly DeclinedSqlRead[]): Readonly<Record<string, number>> {
  const tally: Record<string, number> = {};
  for (const { operation, reason } of reads) tally[`${operation}: ${reason}`] = (tally[`${operation}: ${reason}`] ?? 0) + 1;
  return tally;
}
