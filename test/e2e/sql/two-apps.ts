import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { type DeclinedSqlRead, withSqlReads } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { IS_LONG, seededRuns } from '../../support/long-tests.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const OPEN = { read: true, filter: true, sort: true } as const;
const OPEN_FIELDS = { passwordHash: OPEN, recoveryCode: OPEN, pin: OPEN, loginCount: OPEN, locale: OPEN };

export interface TwoApps {
  /** What SQL reads have left to Prisma in this test. */
  readonly declined: DeclinedSqlRead[];
  /** Asks both, and expects the same answer byte for byte; gives its status. */
  statusOf(request: OutgoingRequest): Promise<number>;
}

/** Two applications that differ only in `withSqlReads`; on a server, with a pool. */
export function useTwoApps(): TwoApps {
  const declined: DeclinedSqlRead[] = [];
  let database: TestDatabase;
  let pool: Pool | undefined;
  let apps: readonly TestApp[];

  beforeAll(async () => {
    database = await openTestDatabase();
    const { connectionString } = database;
    pool = connectionString === undefined ? undefined : new Pool({ connectionString, max: 2 });
    const fast = withSqlReads(database.prisma, { ...(pool && { pool }), onDecline: (read) => declined.push(read) });
    const options = { resources: { User: { fields: OPEN_FIELDS } } };
    apps = await Promise.all(
      [fast, database.prisma].map((prisma) =>
        startTestApp({ platform: 'fastify', database, options: { ...options, getClient: () => prisma } }),
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

/** Of each style; in the long suites, 20,000 in all on a server. `SQL_READS=100 npx jest test/e2e/sql` makes as many as you like. */
const RUNS = Number(process.env['SQL_READS'] ?? (IS_LONG ? (process.env['TEST_DATABASE_URL'] === undefined ? 1_500 : 10_000) : 80));

export const RANDOM_TIMEOUT = 60_000 + RUNS * 100;

/** Why a random read may be left to Prisma: what the documentation names (`docs/sql-reads.md`). */
const REASONS = [
  /^a cursor in an order that may have nulls$/,
  /^a count from a cursor on in such an order$/,
  /^the argument (?:cursor|distinct)$/,
  /^distinct values of /,
  /^not in not$/,
  /^a Json filter without an operator$/,
  /^take in findFirst$/,
  /^several searches$/,
  /^a cursor of several keys$/,
];

/** @param share of the answered reads that may be left to Prisma */
export async function compareRandomReads(apps: TwoApps, requests: fc.Arbitrary<OutgoingRequest>, share: number): Promise<void> {
  const { declined } = apps;
  let answered = 0;
  let answeredByPrisma = 0;
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const before = declined.length;
      if ((await apps.statusOf(request)) >= 300) return;
      answered += 1;
      if (declined.length > before) answeredByPrisma += 1;
    }),
    seededRuns(RUNS),
  );
  expect(answered).toBeGreaterThan(RUNS / 20);
  expect({ reasons: tally(declined), isSmall: answeredByPrisma <= Math.max(2, answered * share) }).toMatchObject({ isSmall: true });
  expect(declined.filter(({ reason }) => !REASONS.some((known) => known.test(reason)))).toEqual([]);
}

/** How often each reason was told. */
function tally(reads: readonly DeclinedSqlRead[]): Readonly<Record<string, number>> {
  const tally: Record<string, number> = {};
  for (const { operation, reason } of reads) tally[`${operation}: ${reason}`] = (tally[`${operation}: ${reason}`] ?? 0) + 1;
  return tally;
}
