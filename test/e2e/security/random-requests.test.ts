import type { LoggerService } from '@nestjs/common';
import fc from 'fast-check';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { IS_LONG, long } from '../../support/long.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { PLATFORMS, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';
import { CLOSED_PARTS, HIDDEN_NAMES, HIDDEN_VALUES } from './support/exposure.js';
import { restRequest } from './support/random-rest-request.js';
import { restWrite } from './support/random-rest-write.js';
import { rpcRequest } from './support/random-rpc-request.js';
import { rpcWrite } from './support/random-rpc-write.js';
import { undoneClient } from './support/undone-client.js';

/** The number of requests of each kind: half of them reads, half writes, on both platforms. `RANDOM_REQUESTS=50000` sends 100,000. */
const RUNS = Number(process.env['RANDOM_REQUESTS'] ?? (IS_LONG ? 10_000 : 26)) / 2;

const OPTIONS = { numRuns: RUNS };

/** Users cannot be created, because without the hidden required `passwordHash` each create would be a 500. */
const RESOURCES = { ...CLOSED_PARTS, User: { ...CLOSED_PARTS.User, actions: ['read', 'update', 'delete'] } } as const;

/** Messages of a Prisma client whose engine has panicked. */
const PANIC = /panic|memory access out of bounds|unreachable/i;

/** Hidden values of both databases. A response may repeat those of its request. */
const SECRETS = [...HIDDEN_VALUES, 'zz-other-'];

/** Writes hidden data that differs between the two databases: values, nulls, order, references and numbers of rows. */
async function hide({ prisma }: TestDatabase, isOther: boolean): Promise<void> {
  for (const id of [1, 2, 3, 4, 5]) {
    const updatedAt = new Date(Date.UTC(2026, 0, id, 12));
    const other = {
      passwordHash: `zz-other-hash-${9 - id}`,
      recoveryCode: id < 3 ? null : `zz-other-code-${id}`,
      pin: `zz-other-pin-${9 - id}`,
    };
    await prisma.user.update({ where: { id }, data: isOther ? { ...other, updatedAt } : { updatedAt } });
  }
  for (let id = 1; id <= 12; id += 1) {
    const updatedAt = new Date(Date.UTC(2026, 0, id, 12));
    await prisma.post.update({ where: { id }, data: isOther ? { reviewerId: id % 3 === 0 ? 2 : null, updatedAt } : { updatedAt } });
  }
  if (!isOther) return;
  await prisma.apiToken.deleteMany({ where: { id: 1 } });
  await prisma.apiToken.createMany({ data: [3, 4, 5].map((userId) => ({ userId, secret: `zz-other-secret-${userId}` })) });
}

/** Sorts the tables by id, because unordered rows have the order of the table, which depends on earlier writes. */
async function sortTables({ prisma }: TestDatabase): Promise<void> {
  const keys = await prisma.$queryRaw<readonly { readonly sql: string }[]>`
    SELECT format('CLUSTER %s USING %I', indrelid::regclass, relname) AS sql
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indisprimary AND relnamespace = 'public'::regnamespace`;
  for (const { sql } of keys) await prisma.$executeRawUnsafe(sql);
}

const STARTED = Date.now();

/** Replaces timestamps, which differ between the databases. */
function withoutTime(text: string): string {
  return text.replaceAll(/"20\d\d-\d\d-\d\dT[\d:.]+Z"/g, (time) => (Date.parse(time.slice(1, -1)) >= STARTED ? '"now"' : time));
}

/** Sorts the returned rows of a write of many, whose order depends on the statistics of the database. */
function withoutOrder(text: string, { path, body = '' }: OutgoingRequest): string {
  if (!(path + body).includes('updateManyAndReturn')) return text;
  return (text.match(/\{[^{}]*\}/g) ?? [text]).sort().join();
}

/** Sends a request to both applications. Expects equal responses without hidden values, and returns their status. */
async function statusOf(apps: readonly TestApp[], request: OutgoingRequest): Promise<number> {
  const answers = await Promise.all(apps.map(({ agent }) => sendRequest(agent, request)));
  const [first, second] = answers.map(({ status, text }) => ({ status, text: withoutOrder(withoutTime(text), request) }));
  expect(second).toEqual(first);
  const { status = 0, text = '' } = first ?? {};
  expect(status).toBeLessThan(500);
  const question = decodeURIComponent(request.path) + (request.body ?? '');
  const leaks = [
    ...SECRETS.filter((value) => text.includes(value)),
    ...HIDDEN_NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(text)),
  ].filter((word) => !question.includes(word));
  expect(leaks).toEqual([]);
  return status;
}

/** The minimal processor time of some ordinary requests in this process, in microseconds. */
async function costOf(apps: readonly TestApp[]): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const started = process.cpuUsage();
    for (const { rest, rpc } of apps) {
      for (let id = 1; id <= 5; id += 1) await rest.get(`/post/${id}?include=author,tags`);
      await rpc.call('post/findMany', { where: { published: true } });
    }
    const { user, system } = process.cpuUsage(started);
    costs.push(user + system);
  }
  return Math.min(...costs);
}

function propertyOf(
  requests: fc.Arbitrary<OutgoingRequest>,
  apps: readonly TestApp[],
  statuses: number[] = [],
): fc.IAsyncProperty<[OutgoingRequest]> {
  return fc.asyncProperty(requests, async (request) => {
    statuses.push(await statusOf(apps, request));
  });
}

/** The rights that the long suite grants, one at a time, to check that the requests detect them. With `RANDOM_REQUESTS`, all rights of all fields. */
const OPENED = (['read', 'filter', 'sort'] as const)
  .flatMap((right) => {
    const fields = [
      ['Post', 'reviewer'],
      ['User', 'passwordHash'],
      ['User', 'recoveryCode'],
    ] as const;
    return fields.map(([model, field]) => [model, field, right] as const);
  })
  .filter((_, index) => process.env['RANDOM_REQUESTS'] === undefined || index % 4 === 0);

describe('random requests', () => {
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    databases.push(...(await Promise.all([openTestDatabase(), openTestDatabase()])));
    for (const [index, database] of databases.entries()) {
      await hide(database, index > 0);
      await sortTables(database);
    }
  });

  afterAll(() => Promise.all(databases.map((database) => database.close())));

  const logged: string[] = [];
  const note = (...texts: readonly unknown[]): void => void logged.push(texts.map(String).join(' '));
  const logger: LoggerService = { log: note, error: note, warn: note, fatal: note };

  /** Starts an application on Express and one on Fastify, each with a separate database, and rolls all writes back. */
  async function withApps<Result>(resources: Resources, use: (apps: readonly TestApp[]) => Promise<Result>): Promise<Result> {
    const starting = databases.map(({ prisma }, index) => {
      return startTestApp({
        platform: PLATFORMS[index] ?? 'express',
        logger,
        options: { resources, getClient: () => undoneClient(prisma) },
      });
    });
    const apps = await Promise.all(starting);
    return use(apps).finally(() => Promise.all(apps.map((app) => app.close())));
  }

  it.each([
    ['reads of REST', restRequest],
    ['reads of RPC', rpcRequest],
    ['writes of REST', restWrite],
    ['writes of RPC', rpcWrite],
  ] as const)(
    'return no hidden value, no 5xx, no panic, and equal responses for databases that differ only in hidden values · %s',
    async (_, requests) => {
      const statuses: number[] = [];
      await withApps(RESOURCES, async (apps) => {
        // A leak of few requests is too small to measure.
        const first = IS_LONG ? await costOf(apps) : undefined;
        await fc.assert(propertyOf(requests, apps, statuses), OPTIONS);
        // A leak would make the last requests more expensive than the first.
        if (first !== undefined) expect(await costOf(apps)).toBeLessThan(2 * first);
      });
      expect(logged.filter((line) => PANIC.test(line))).toEqual([]);
      // A test with only rejected requests would prove little.
      expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(RUNS / 20);
      expect(statuses.filter((status) => status === 400).length).toBeGreaterThan(RUNS / 20);
    },
    30_000 + RUNS * 200,
  );

  it('are rolled back, so that each request reads the same rows', async () => {
    for (const { prisma } of databases) {
      const counts = [prisma.user.count(), prisma.post.count(), prisma.comment.count({ where: { authorId: 1 } }), prisma.category.count()];
      expect(await Promise.all(counts)).toEqual([5, 12, 4, 5]);
      const posts = await prisma.post.findMany({ select: { id: true } });
      expect(posts.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    }
  });

  long.it.each(OPENED)(
    'would detect that %s.%s can be used to %s',
    async (model, field, right) => {
      const open = { read: false, filter: false, sort: false, [right]: true };
      const resources = { ...RESOURCES, [model]: { ...RESOURCES[model], fields: { ...RESOURCES[model].fields, [field]: open } } };
      for (const requests of [restRequest, rpcRequest]) {
        const { failed } = await withApps(resources, (apps) =>
          fc.check(propertyOf(requests, apps), { seed: 1, numRuns: 5000, endOnFailure: true }),
        );
        expect(failed).toBe(true);
      }
    },
    360_000,
  );
});

type Resources = NonNullable<NonNullable<TestAppOptions['options']>['resources']>;
