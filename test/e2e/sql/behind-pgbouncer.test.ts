import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { Pool, type PoolConfig } from 'pg';
import { type ResourceApiOptions, withSql } from '../../../lib/index.js';
import { LogLines } from '../../support/log-lines.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { PrismaClient } from '../../support/generated/prisma/client.js';
import { loggedAdapter } from '../../support/logged-adapter.js';
import { describeWhere } from '../../support/describe-where.js';
import { IS_LONG } from '../../support/long.js';
import { withServer } from '../../support/postgres-database.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { StatementLog } from '../../support/statement-log.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { SERVER_URL } from '../policy/engines.js';
import { readState } from '../rules/inspected-client.js';
import { restRequest } from '../security/support/random-rest-request.js';
import { restWrite } from '../security/support/random-rest-write.js';
import { rpcRequest } from '../security/support/random-rpc-request.js';
import { rpcWrite } from '../security/support/random-rpc-write.js';
import { logged } from './logged-pool.js';
import { masked, maskedAnswer } from './masked-answer.js';
import { PGBOUNCER, type PgBouncer, startPgBouncer } from '../../support/pgbouncer.js';

/** Requests of each style through PgBouncer; in the long suites, 20,000 in all. */
const RUNS = Number(process.env['SQL_READS'] ?? (IS_LONG ? 10_000 : 120));

/** How many requests are sent at once. */
const BATCH = 8;

/** How often two applications write at once. */
const ROUNDS = Math.ceil(RUNS / 100);

/** One of so many requests is a write. Both applications execute each. */
const WRITES = 5;

const RANDOM_TIMEOUT = 60_000 + RUNS * 300;

const WAYS = ['prisma', 'sql'] as const;

/** A role of this process, which the server has for all databases. */
const ROLE = `limited_${process.pid}`;

type Apps = Readonly<Record<(typeof WAYS)[number], TestApp>>;

/** Lines about connections without a statement_timeout. */
const untimed = ({ logs }: LogLines): readonly string[] => logs.filter((text) => text.includes('statement_timeout'));

describeWhere(SERVER_URL !== undefined && PGBOUNCER !== undefined, 'TEST_DATABASE_URL, PgBouncer', 'behind PgBouncer', () => {
  const ended: (() => Promise<unknown>)[] = [];
  let database: TestDatabase;
  let direct = '';
  let bouncer: PgBouncer;
  let pooled = '';

  beforeAll(async () => {
    database = await openTestDatabase();
    direct = database.connectionString ?? '';
    bouncer = await startPgBouncer(direct, { roles: [ROLE] });
    pooled = bouncer.through(direct);
  }, 60_000);
  afterEach(() => {
    Logger.overrideLogger(false);
  });
  afterAll(async () => {
    for (const end of ended.toReversed()) await end();
    await bouncer.stop();
    await database.close();
  });

  const execute = (sql: string): PromiseLike<number> => database.prisma.$executeRawUnsafe(sql);

  async function start(
    client: object,
    options: Partial<ResourceApiOptions> = {},
  ): Promise<{ readonly app: TestApp; readonly lines: LogLines }> {
    const lines = new LogLines();
    const app = await startTestApp({ platform: 'fastify', logger: lines, options: { getClient: () => client, ...options } });
    ended.push(() => app.close());
    return { app, lines };
  }

  function prismaOn(config: PoolConfig, log = new StatementLog()): PrismaClient {
    const prisma = new PrismaClient({ adapter: loggedAdapter(new PrismaPg(config), log) });
    ended.push(() => prisma.$disconnect());
    return prisma;
  }

  /** A client whose reads and writes are SQL, and the statements of its pool. */
  function sqlOn(config: PoolConfig): { readonly client: object; readonly trips: string[][] } {
    const pool = new Pool(config);
    const trips = logged(pool);
    ended.push(() => pool.end());
    return { client: withSql(prismaOn(config), { pool, writes: true }), trips };
  }

  describe('with a startup parameter that PgBouncer rejects', () => {
    const REFUSED =
      '/api/rest, /api/rpc: The connection pooler in front of the database refuses all connections that have the startup parameter statement_timeout, so that requests fail. ' +
      "Remove statement_timeout where the connections are made, and set it for the role instead: ALTER ROLE … SET statement_timeout = '…'. " +
      'PgBouncer can also ignore it: add statement_timeout to its ignore_startup_parameters.';

    it.each([
      ['Prisma', (config: PoolConfig) => prismaOn(config)],
      ['SQL', (config: PoolConfig) => sqlOn(config).client],
    ])('an application on %s logs the cause and a solution once, at start', async (_, clientOn) => {
      const { app, lines } = await start(clientOn({ connectionString: pooled, statement_timeout: 4_000 }));
      expect(lines.errors).toEqual([REFUSED]);
      for (const path of ['/post', '/post/1', '/user']) expect((await app.rest.get(path)).status).toBe(503);
      expect(lines.errors).toEqual([REFUSED]);
    });

    it('an application that does not connect at start logs it at the first request', async () => {
      const { client } = sqlOn({ connectionString: pooled, statement_timeout: 4_000 });
      const { app, lines } = await start(client, { getClient: (_request: object) => client });
      expect(lines.errors).toEqual([]);
      for (let round = 0; round < 2; round++) expect((await app.rpc.call('post/count', {})).status).toBe(503);
      expect(lines.errors).toEqual([REFUSED]);
    });

    it('the logged error names the parameter', async () => {
      const { lines } = await start(prismaOn({ connectionString: pooled, options: '-c timezone=UTC' }));
      expect(lines.errors).toEqual([expect.stringContaining('startup parameter options, so that requests fail')]);
      expect(lines.errors).toEqual([expect.stringContaining("ALTER ROLE … SET <setting> = '…'")]);
    });

    it('requests succeed if PgBouncer ignores the parameter, and a warning logs that connections have no statement timeout', async () => {
      const ignoring = await startPgBouncer(direct, { settings: ['ignore_startup_parameters = statement_timeout'] });
      ended.push(ignoring.stop);
      const config = { connectionString: ignoring.through(direct), statement_timeout: 4_000 };
      for (const client of [prismaOn(config), sqlOn(config).client]) {
        const { app, lines } = await start(client);
        expect((await app.rest.get('/post')).status).toBe(200);
        expect([lines.errors.length, untimed(lines).length]).toEqual([0, 1]);
      }
    });
  });

  describe('with a statement_timeout of the role', () => {
    beforeAll(async () => {
      await withServer(direct, async (run) => {
        await run(`CREATE ROLE ${ROLE} LOGIN IN ROLE pg_read_all_data`);
        await run(`ALTER ROLE ${ROLE} SET statement_timeout = 4000`);
      });
      ended.push(() => withServer(SERVER_URL ?? '', (run) => run(`DROP ROLE ${ROLE}`)));
    });

    it('no statement sets the timeout', async () => {
      const connectionString = Object.assign(new URL(pooled), { username: ROLE }).href;
      const log = new StatementLog();
      const { client, trips } = sqlOn({ connectionString });
      for (const served of [prismaOn({ connectionString }, log), client]) {
        const { app, lines } = await start(served);
        for (const path of ['/country', '/country', '/country']) expect((await app.rest.get(path)).status).toBe(200);
        expect([lines.errors, untimed(lines)]).toEqual([[], []]);
      }
      expect(log.all.filter((text) => /set_config/i.test(text))).toHaveLength(1);
      expect(trips.flat().filter((text) => /set_config|BEGIN/.test(text))).toEqual([]);
    });
  });

  describe('in transaction mode, with a statement_timeout of the database', () => {
    const logs: LogLines[] = [];
    let pooledApps: Apps;
    let directApps: Apps;

    beforeAll(async () => {
      await execute(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = 4000', current_database()); END $$`);
      const appsOn = async (connectionString: string): Promise<Apps> => {
        const config = { connectionString, max: BATCH };
        const [prisma, sql] = [await start(prismaOn(config)), await start(sqlOn(config).client)];
        logs.push(prisma.lines, sql.lines);
        return { prisma: prisma.app, sql: sql.app };
      };
      // The connections to the server that another one has opened do not have the limit.
      const limited = await startPgBouncer(direct);
      ended.push(limited.stop);
      [pooledApps, directApps] = [await appsOn(limited.through(direct)), await appsOn(direct)];
    }, 60_000);

    const restore = (): PromiseLike<number> => execute('SELECT seed.restore()');

    it.each([
      ['REST', restRequest],
      ['RPC', rpcRequest],
    ])(
      'two concurrent applications return the same results for random reads of %s as without PgBouncer',
      async (_, requests) => {
        await restore();
        const batches = fc.array(requests, { minLength: BATCH, maxLength: BATCH });
        const property = fc.asyncProperty(batches, async (batch) => {
          const [expected, answers] = [await answersOf(directApps, batch), await answersOf(pooledApps, batch)];
          expect(answers).toEqual(expected);
          expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
        });
        await fc.assert(property, { numRuns: Math.ceil((RUNS * (1 - 1 / WRITES)) / BATCH / WAYS.length) });
      },
      RANDOM_TIMEOUT,
    );

    it.each([
      ['REST', restWrite, restRequest],
      ['RPC', rpcWrite, rpcRequest],
    ])(
      'random writes of %s, while another application reads, store and return the same as without PgBouncer',
      async (_, writes, reads) => {
        const property = fc.asyncProperty(writes, fc.array(reads, { maxLength: 2 }), async (write, others) => {
          for (const way of WAYS) {
            const outcome = await outcomeOf(pooledApps[way], write, others, pooledApps[way === 'sql' ? 'prisma' : 'sql']);
            expect(outcome).toEqual(await outcomeOf(directApps[way], write));
          }
        });
        await fc.assert(property, { numRuns: Math.ceil(RUNS / WRITES / WAYS.length / 2) });
      },
      RANDOM_TIMEOUT,
    );

    it(
      'all concurrent writes of two applications are stored',
      async () => {
        await restore();
        const [before] = await counted();
        for (let round = 0; round < ROUNDS; round++) {
          const requests = WAYS.flatMap((way) =>
            Array.from({ length: BATCH }, (__, number) => [
              pooledApps[way].rpc.call('post/update', { where: { id: 1 }, data: { viewCount: { increment: 1 } } }),
              pooledApps[way].rest.post('/tag', { data: { type: 'tag', attributes: { name: `${way} ${round} ${number}` } } }),
            ]).flat(),
          );
          expect((await Promise.all(requests)).filter(({ status }) => status >= 300)).toEqual([]);
        }
        const [after] = await counted();
        const added = ROUNDS * WAYS.length * BATCH;
        expect(after).toEqual({ views: (before?.views ?? 0) + added, tags: (before?.tags ?? 0) + added });
      },
      RANDOM_TIMEOUT,
    );

    it('no statement sets the statement_timeout', () => {
      expect(logs.flatMap((lines) => [...lines.errors, ...untimed(lines)])).toEqual([]);
    });

    const counted = (): Promise<readonly { readonly views: number; readonly tags: number }[]> =>
      database.prisma.$queryRawUnsafe(
        'SELECT (SELECT "viewCount" FROM "Post" WHERE id = 1) AS "views", (SELECT count(*)::int FROM "Tag") AS "tags"',
      );

    /** Returns the response to a write, and the rows after it. Meanwhile another application reads. */
    async function outcomeOf(app: TestApp, write: OutgoingRequest, others: readonly OutgoingRequest[] = [], reader = app): Promise<object> {
      await restore();
      const [{ status, text }, ...read] = await Promise.all([
        sendRequest(app.agent, write),
        ...others.map((one) => sendRequest(reader.agent, one)),
      ]);
      expect([status, ...read.map((one) => one.status)].filter((one) => one >= 500)).toEqual([]);
      return { status, text: maskedAnswer(status, text), state: masked(await readState(database.prisma)) };
    }
  });
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The answers of both applications, which get all requests at once. */
async function answersOf(apps: Apps, requests: readonly OutgoingRequest[]): Promise<readonly Answer[]> {
  const answers = await Promise.all(WAYS.flatMap((way) => requests.map((request) => sendRequest(apps[way].agent, request))));
  return answers.map(({ status, text }) => ({ status, text }));
}
