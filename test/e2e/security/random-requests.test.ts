import fc from 'fast-check';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { CLOSED_PARTS, HIDDEN_VALUES } from './support/exposure.js';
import { restRequest } from './support/random-rest-request.js';
import { rpcRequest } from './support/random-rpc-request.js';

/** How many requests of each style are made up; the long suite sets it to 10000. */
const RUNS = Number(process.env['RANDOM_REQUESTS'] ?? 250);

/** A request that may take it, and a seed to run the same ones again: `RANDOM_SEED=42 npx jest random-requests`. */
const OPTIONS = { numRuns: RUNS, ...(process.env['RANDOM_SEED'] && { seed: Number(process.env['RANDOM_SEED']) }) };

/** Hidden values of both databases; an answer may repeat what the question says. */
const SECRETS = [...HIDDEN_VALUES, 'zz-other-'];

/**
 * Everything hidden differs between the two: values, whether they are null, their order, to whom they lead, and how many there are. Both are
 * written in the same way, so that rows which nobody put in order come in the same one.
 */
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

describe('random requests', () => {
  const databases: TestDatabase[] = [];
  const apps: TestApp[] = [];

  beforeAll(async () => {
    const [first, second] = await Promise.all([openTestDatabase(), openTestDatabase()]);
    databases.push(first, second);
    await hide(first, false);
    await hide(second, true);
    for (const [index, platform] of (['express', 'fastify'] as const).entries()) {
      apps.push(
        await startTestApp({ platform, ...(databases[index] && { database: databases[index] }), options: { resources: CLOSED_PARTS } }),
      );
    }
  });

  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await Promise.all(databases.map((database) => database.close()));
  });

  it.each([
    ['REST', restRequest],
    ['RPC', rpcRequest],
  ] as const)(
    'give no hidden value, no 5xx, and the same answer where only hidden values differ · %s',
    async (_, requests) => {
      const statuses = new Map<number, number>();
      const property = fc.asyncProperty(requests, async (request) => {
        const answers = await Promise.all(apps.map(({ agent }) => sendRequest(agent, request)));
        const [first, second] = answers.map(({ status, text }) => ({ status, text }));
        expect(second).toEqual(first);
        expect(first?.status).toBeLessThan(500);
        const question = decodeURIComponent(request.path) + (request.body ?? '');
        const told = SECRETS.filter((value) => first?.text.includes(value) === true && !question.includes(value));
        expect(told).toEqual([]);
        statuses.set(first?.status ?? 0, (statuses.get(first?.status ?? 0) ?? 0) + 1);
      });
      await fc.assert(property, OPTIONS);
      // Refusals alone would prove little.
      expect(statuses.get(200)).toBeGreaterThan(RUNS / 10);
      expect(statuses.get(400)).toBeGreaterThan(RUNS / 10);
    },
    30_000 + RUNS * 100,
  );
});
