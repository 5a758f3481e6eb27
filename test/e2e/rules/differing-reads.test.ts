import fc from 'fast-check';
import { type DeclinedSqlRead, withRowLevelSecurity, withSqlReads } from '../../../lib/index.js';
import { IS_LONG } from '../../support/long.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { installPolicies, removePolicies, ROLE } from './policies.js';
import { callerOf } from './rules.js';
import { type Variant, VARIANTS } from './variants.js';

/** The number of reads of a variant, half of them of each style. `RANDOM_REQUESTS=50000 RANDOM_SEED=42 npx jest rules/differing-reads` runs others. */
const RUNS = Number(process.env['RANDOM_REQUESTS'] ?? (IS_LONG ? 4_000 : 20)) / 2;
const OPTIONS = { numRuns: RUNS };

const caller = fc.constantFrom(undefined, 1, 2, 3, 4);

const NONE = { status: 0, text: '' };

/** Whether the rules reject a query that Prisma cannot express (`docs/policies.md`). Policies never do, and SQL only where Prisma executes the query. */
function isRefused({ text }: { readonly text: string }): boolean {
  return /'\w+' may not be used to sort|This relation cannot be used to filter/.test(text);
}

describe.each(VARIANTS)(
  'random reads under row rules, with SQL reads and without, and under the same rules as policies of PostgreSQL, %s',
  (_name, { open, app, rules, policies, reads }) => {
    let database: Awaited<ReturnType<Variant['open']>>;
    let ruled: TestApp;
    let fast: TestApp;
    let bound: TestApp;
    let declined = 0;

    beforeAll(async () => {
      database = await open();
      const { prisma } = database;
      await installPolicies(prisma, policies);
      const ofRules = { ...app, platform: 'express' } as const;
      ruled = await startTestApp({ ...ofRules, options: { ...app.options, rules, getClient: () => prisma } });
      const count = ({ reason }: DeclinedSqlRead): void => {
        if (!/batch|operation/.test(reason)) declined++;
      };
      const inSql = withSqlReads(prisma, { onDecline: count });
      fast = await startTestApp({ ...ofRules, options: { ...app.options, rules, getClient: () => inSql } });
      bound = await startTestApp({
        ...app,
        platform: 'fastify',
        options: {
          ...app.options,
          getClient: (request) => withRowLevelSecurity(prisma, { role: ROLE, settings: { 'app.user_id': callerOf(request) } }),
        },
      });
    }, 60_000);
    afterAll(async () => {
      await ruled.close();
      await fast.close();
      await bound.close();
      await removePolicies(database.prisma, policies);
      await database.close();
    });

    async function compare(request: OutgoingRequest, callerId: number | undefined): Promise<number> {
      const headers = { ...request.headers, ...(callerId !== undefined && { 'X-User-Id': String(callerId) }) };
      const responses = [ruled, bound, fast].map(async ({ agent }) => {
        const { status, text } = await sendRequest(agent, { ...request, headers });
        return { status, text };
      });
      const [byPrisma = NONE, byPolicies = NONE, inSql = NONE] = await Promise.all(responses);
      if (!isRefused(byPrisma)) expect(inSql).toEqual(byPrisma);
      if (!isRefused(inSql) && !isRefused(byPolicies)) expect(inSql).toEqual(byPolicies);
      return inSql.status;
    }

    it.each(reads)(
      '%s return the same responses',
      async (_, requests) => {
        const statuses: number[] = [];
        const property = fc.asyncProperty(requests, caller, async (request, callerId) => {
          statuses.push(await compare(request, callerId));
        });
        await fc.assert(property, OPTIONS);
        // A test with only rejected requests would prove little.
        expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(RUNS / 3);
        expect(declined).toBeLessThan(statuses.length / 4);
      },
      3_600_000,
    );
  },
);
