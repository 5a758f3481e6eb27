import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DeclinedSqlRead, withSqlReads } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { IS_LONG, seededRuns } from '../../support/long-tests.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { READS } from '../rpc/differential-reads.js';
import { restRequest } from '../security/support/random-rest-request.js';
import { rpcRequest } from '../security/support/random-rpc-request.js';
import { inQuery } from '../../support/rpc-client.js';

/** Of each style. `SQL_READS=10000 npx jest test/e2e/sql` makes 20,000. */
const RUNS = Number(process.env['SQL_READS'] ?? (IS_LONG ? 1_500 : 80));

const OPTIONS = seededRuns(RUNS);

const OPEN = { read: true, filter: true, sort: true } as const;
const OPEN_FIELDS = { passwordHash: OPEN, recoveryCode: OPEN, pin: OPEN, loginCount: OPEN, locale: OPEN };

describe('two applications that differ only in withSqlReads', () => {
  let database: TestDatabase;
  let apps: readonly TestApp[];
  let declined: DeclinedSqlRead[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    const fast = withSqlReads(database.prisma, { onDecline: (read) => declined.push(read) });
    const options = { resources: { User: { fields: OPEN_FIELDS } } };
    apps = await Promise.all(
      [fast, database.prisma].map((prisma) =>
        startTestApp({ platform: 'fastify', database, options: { ...options, getClient: () => prisma } }),
      ),
    );
  });

  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await database.close();
  });

  /** Asks both, and expects the same answer byte for byte; gives its status. */
  async function statusOf(request: OutgoingRequest): Promise<number> {
    const answers = [];
    for (const { agent } of apps) answers.push(await sendRequest(agent, request));
    const [fast, plain] = answers.map(({ status, headers, text }) => ({ status, headers: { ...headers, date: undefined }, text }));
    expect(fast).toEqual(plain);
    return plain?.status ?? 0;
  }

  describe.each(READS)('%s', (_, calls) => {
    it.each(calls.map(([operation, args]) => [operation, args] as const))('%s %j', async (operation, args) => {
      expect(await statusOf({ method: 'GET', path: `/api/rpc/${operation}${inQuery(args).path}` })).toBeLessThan(500);
    });
  });

  it.each([
    ['REST', restRequest, 0.01],
    ['RPC', rpcRequest, 0.05],
  ] as const)(
    'answer random reads of %s alike',
    async (_, requests, share) => {
      declined = [];
      const statuses: number[] = [];
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          statuses.push(await statusOf(request));
        }),
        OPTIONS,
      );
      const answered = statuses.filter((status) => status < 300).length;
      expect(answered).toBeGreaterThan(RUNS / 20);
      expect({ reasons: tally(declined), isSmall: declined.length <= 2 + answered * share }).toMatchObject({ isSmall: true });
    },
    60_000 + RUNS * 100,
  );
});

/** How often each reason was told. */
function tally(reads: readonly DeclinedSqlRead[]): Readonly<Record<string, number>> {
  const tally: Record<string, number> = {};
  for (const { operation, reason } of reads) tally[`${operation}: ${reason}`] = (tally[`${operation}: ${reason}`] ?? 0) + 1;
  return tally;
}
