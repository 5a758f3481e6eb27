import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { type DeclinedSqlRead, defineRules, withSqlReads } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { IS_LONG } from '../../support/long.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { restRequest } from '../security/support/random-rest-request.js';
import { where } from '../security/support/random-rpc-arguments.js';
import { rpcRequest } from '../security/support/random-rpc-request.js';

/** The number of runs of each style. `RANDOM_RULES=2000 npx jest test/e2e/sql/ruled-reads` runs others. */
const RUNS = Number(process.env['RANDOM_RULES'] ?? (IS_LONG ? 3_000 : 60));

const RULED = ['User', 'Post', 'Comment', 'Profile', 'Category', 'Tag'] as const;
type Rules = Readonly<Record<(typeof RULED)[number], unknown>>;

const rule = (model: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: fc.constant<unknown>(true), weight: 3 },
    { arbitrary: fc.nat(12).map((id) => ({ id: { gt: id } })), weight: 4 },
    { arbitrary: where(model, 2), weight: 6 },
    fc.constant(false),
  );

const rules: fc.Arbitrary<Rules> = fc.record({
  User: rule('User'),
  Post: rule('Post'),
  Comment: rule('Comment'),
  Profile: rule('Profile'),
  Category: rule('Category'),
  Tag: rule('Tag'),
});

/** The rules of this run. */
let current: Partial<Rules> = {};

const OF_RUN = defineRules<PrismaClient>()({
  ...(Object.fromEntries(RULED.map((model) => [model, { read: () => current[model] }])) as object),
  '*': { read: true },
});

/** Whether an error is of a query that only SQL executes, because Prisma cannot express its condition. */
function isRefused(text: string): boolean {
  return /'\w+' may not be used to sort|This relation cannot be used to filter/.test(text);
}

function isOfPrisma(statement: string): boolean {
  return !statement.includes('json_build_array');
}

type Answer = Awaited<ReturnType<typeof sendRequest>>;

/** Matches the id of an error. */
const ERROR_ID = /"id":"[0-9a-f-]{36}",/;

describe('random reads under random rules', () => {
  const declined: DeclinedSqlRead[] = [];
  let database: TestDatabase;
  let pool: Pool | undefined;
  let apps: readonly TestApp[];

  beforeAll(async () => {
    database = await openTestDatabase();
    const { prisma, connectionString } = database;
    pool = connectionString === undefined ? undefined : new Pool({ connectionString, max: 2 });
    const inSql = withSqlReads(prisma, { ...(pool && { pool }), onDecline: (read) => declined.push(read) });
    apps = await Promise.all(
      [inSql, prisma].map((client) => startTestApp({ platform: 'fastify', options: { rules: OF_RUN, getClient: () => client } })),
    );
  }, 60_000);
  afterAll(async () => {
    for (const app of apps) await app.close();
    await pool?.end();
    await database.close();
  });

  async function compare(request: OutgoingRequest): Promise<number> {
    declined.length = 0;
    database.statements.clear();
    const answers: Answer[] = [];
    for (const { agent } of apps) {
      answers.push(await sendRequest(agent, request));
      // The first application alone reads in SQL.
      if (answers.length === 1 && declined.length === 0) expect(database.statements.queries.filter(isOfPrisma)).toEqual([]);
    }
    const [inSql, byPrisma] = answers.map(({ status, text }) => ({ status, text: text.replace(ERROR_ID, '') }));
    if (!isRefused(byPrisma?.text ?? '')) expect(inSql).toEqual(byPrisma);
    return inSql?.status ?? 0;
  }

  it.each([
    ['REST', restRequest],
    ['RPC', rpcRequest],
  ] as const)(
    'return the same results in SQL as by Prisma, and each read that Prisma executes is reported as declined: %s',
    async (_, requests) => {
      const statuses: number[] = [];
      const property = fc.asyncProperty(rules, requests, async (given, request) => {
        current = given;
        statuses.push(await compare(request));
      });
      await fc.assert(property, { numRuns: RUNS });
      // A test with only rejected requests would prove little. Some rules and some requests are invalid.
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(RUNS / 4);
    },
    3_600_000,
  );
});
