import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LoggerService } from '@nestjs/common';
import fc from 'fast-check';
import { type DeclinedSqlRead, withSqlReads } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { IS_LONG } from '../../support/long.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { restRequest } from '../security/support/random-rest-request.js';
import { rpcRequest } from '../security/support/random-rpc-request.js';

const RUNS = IS_LONG ? 2_000 : 40;

/** Computes a field of users, and replaces one of categories. Prisma passes the counts of `count` with `select` to `compute`, too. */
function extend(prisma: PrismaClient): PrismaClient {
  const extended = prisma.$extends({
    result: {
      user: { mailbox: { needs: { name: true, email: true }, compute: ({ name, email }) => `${name} <${email}>` } },
      category: { name: { needs: { name: true }, compute: ({ name }) => upperCase(name) } },
    },
  });
  return extended as unknown as PrismaClient;
}

function upperCase(name: unknown): unknown {
  return typeof name === 'string' ? name.toUpperCase() : name;
}

const OPTIONS = { resources: { User: { computed: { mailbox: 'String' } } } } as const;

describe.each([
  ['after withSqlReads', (prisma: PrismaClient, onDecline: Declining) => extend(withSqlReads(prisma, { onDecline }))],
  ['before it', (prisma: PrismaClient, onDecline: Declining) => withSqlReads(extend(prisma), { onDecline })],
] as const)('a client with computed fields that are added %s', (_, make) => {
  const declined: DeclinedSqlRead[] = [];
  const lines: string[] = [];
  let database: TestDatabase;
  let apps: readonly TestApp[];

  beforeAll(async () => {
    database = await openTestDatabase();
    const { prisma } = database;
    const inSql = make(prisma, (read) => declined.push(read));
    const logger: LoggerService = { log: (line: string) => lines.push(line), error: ignore, warn: ignore, debug: ignore };
    const setupOf = (client: object) => ({ platform: 'express', options: { ...OPTIONS, getClient: () => client } }) as const;
    // Nest has one logger: the applications start one after the other.
    apps = [await startTestApp({ ...setupOf(inSql), logger }), await startTestApp(setupOf(extend(prisma)))];
  }, 60_000);
  beforeEach(() => void declined.splice(0));
  afterAll(async () => {
    for (const app of apps) await app.close();
    await database.close();
  });

  async function compare(request: OutgoingRequest): Promise<void> {
    const answers: object[] = [];
    declined.length = 0;
    database.statements.clear();
    for (const { agent } of apps) {
      const { status, text } = await sendRequest(agent, request);
      answers.push({ status, text });
      // The first application alone reads in SQL.
      const ofPrisma = database.statements.queries.filter((statement) => !statement.includes('json_build_array'));
      if (answers.length === 1 && declined.length === 0) expect(ofPrisma).toEqual([]);
    }
    expect(answers[0]).toEqual(answers[1]);
  }

  it.each([
    ['REST', restRequest],
    ['RPC', rpcRequest],
  ] as const)(
    'returns the same results for random reads as without SQL, and reports each read that Prisma executes: %s',
    async (__, requests) => {
      await fc.assert(fc.asyncProperty(requests, compare), { numRuns: RUNS });
    },
    3_600_000,
  );

  it('reads in SQL if no computed field is selected, and else through Prisma', async () => {
    for (const path of ['/post?include=comments,tags', '/user?fields[user]=name,email', '/post?sort=author.name&filter[category.name]=x']) {
      await compare({ method: 'GET', path: `/api/rest${path}` });
      expect(declined).toEqual([]);
    }
    for (const path of ['/user/1', '/post?include=author', '/category?fields[category]=name']) {
      await compare({ method: 'GET', path: `/api/rest${path}` });
      expect(declined.splice(0)).toHaveLength(1);
    }
  });

  it('has one line in the boot log that names the models with computed fields', () => {
    const found = lines.filter((line) => line.includes('and not SQL'));
    expect(found).toEqual([
      '/api/rest, /api/rpc: Prisma, and not SQL, answers reads of all fields of User (mailbox, which the data client computes), Category (name, which the data client computes).',
    ]);
  });
});

type Declining = (read: DeclinedSqlRead) => unknown;

function ignore(): void {
  // Other lines are not compared.
}
