import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { describeWhere } from '../../support/describe-where.js';
import { IS_LONG } from '../../support/long.js';
import type { HostileRequest } from './support/hostile/hostile-request.js';
import { hostileRequests, type SeededRequest } from './support/hostile/hostile-requests.js';
import { RawClient } from './support/hostile/raw-client.js';
import { type MeasuredServer, startMeasuredServer } from './support/measured-server.js';

/** `HOSTILE_REQUESTS=50000` makes as many as you like. */
const COUNT = Number(process.env['HOSTILE_REQUESTS'] ?? 20_000);

/** A million requests for each `RANDOM_SEED`. */
const FIRST = Number(process.env['RANDOM_SEED'] ?? 1) * 1_000_000;

/** The number of requests that are measured together. */
const GROUP = 200;

/** Milliseconds of processor time. Requests with a longer tick of the event loop are reported: how long they take depends on the machine. */
const TICK = 50;

/** The allowed growth of the heap in the second half of the requests, in bytes, while caches of plans and statements fill. */
const KEPT = 20_000_000;

interface SlowRequest extends SeededRequest {
  /** Milliseconds. */
  readonly longest: number;
}

// Embedded PostgreSQL is in the process that opened it.
describeWhere(
  IS_LONG && process.env['TEST_DATABASE_URL'] !== undefined,
  'TEST_PROFILE=full, and a server in TEST_DATABASE_URL',
  'hostile requests to a separate process',
  () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await openTestDatabase();
    }, 60_000);
    afterAll(() => database.close());

    describe.each([
      ['by Prisma', 'express', false],
      ['in SQL', 'fastify', true],
    ] as const)('%s', (_, platform, isSql) => {
      let server: MeasuredServer;
      let client: RawClient;

      beforeAll(async () => {
        server = await startMeasuredServer(platform, database.connectionString ?? '', isSql);
        client = new RawClient(Number(new URL(server.url).port));
      });
      afterAll(async () => {
        client.close();
        await server.stop();
      });

      const send = (request: HostileRequest): Promise<unknown> => client.send(request);

      const measure = (group: readonly SeededRequest[]) =>
        server.measure(async () => {
          for (const { request } of group) await send(request);
        });

      /** Splits a group in halves, down to the single requests that cause such a tick again. */
      async function slowOf(group: readonly SeededRequest[]): Promise<readonly SlowRequest[]> {
        const { longest } = await measure(group);
        if (longest <= TICK) return [];
        if (group.length === 1) return group.map((one) => ({ longest, ...one }));
        const middle = group.length >> 1;
        return [...(await slowOf(group.slice(0, middle))), ...(await slowOf(group.slice(middle)))];
      }

      it(
        'do not leak memory, and those with a long tick are reported',
        async () => {
          const slow: SlowRequest[] = [];
          const kept: number[] = [];
          for (let from = 0; from < COUNT; from += GROUP) {
            const group = [...hostileRequests(FIRST + from, GROUP)];
            const measured = await measure(group);
            kept.push(measured.kept);
            if (measured.longest > TICK) slow.push(...(await slowOf(group)));
          }
          const late = kept.slice(kept.length / 2).reduce((sum, bytes) => sum + bytes, 0);
          const summary = `${COUNT} requests: ${slow.length} with a tick over ${TICK} ms; the second half has left ${(late / 1e6).toFixed(1)} MB`;
          process.stdout.write([summary, ...slow.map((one) => JSON.stringify(one)), ''].join('\n'));
          expect(late).toBeLessThan(KEPT);
        },
        120_000 + COUNT * 50,
      );
    });
  },
);
