import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { withSql } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { IS_LONG } from '../../support/long.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { type Cut, FaultProxy, type Way } from '../../support/fault-proxy.js';

/** The connection is cut after each multiple of so many bytes. `CUT_STEP=1` cuts after every byte. */
const STEP = Number(process.env['CUT_STEP'] ?? (IS_LONG ? 7 : 41));
/** Less than the bytes of the response to a commit. */
const COMMIT_BYTES = 19;
const NAME = 'lost-connections';
const WAYS: readonly Way[] = ['to the server', 'to the client'];

/** A write of several rows, and a function that returns which rows have its mark. */
interface Written {
  readonly what: string;
  readonly write: (app: TestApp, mark: string) => PromiseLike<{ readonly status: number; readonly text: string }>;
  readonly stored: (prisma: TestDatabase['prisma'], mark: string) => Promise<readonly boolean[]>;
  /** Whether its commit is sent separately, after the responses to all other statements. */
  readonly isTransaction?: true;
}

const WRITES: readonly Written[] = [
  {
    what: 'a row with rows of two other tables',
    write: ({ rpc }, title) =>
      rpc.call('post/create', { data: { title, authorId: 1, comments: { create: { body: title } }, tags: { connect: { id: 5 } } } }),
    stored: async (prisma, title) => [
      (await prisma.post.count({ where: { title } })) === 1,
      (await prisma.comment.count({ where: { body: title } })) === 1,
      (await prisma.tag.count({ where: { id: 5, posts: { some: { title } } } })) === 1,
    ],
  },
  {
    what: 'a row of which more is answered',
    write: ({ rpc }, title) =>
      rpc.call('post/update', { where: { id: 1 }, data: { title, tags: { connect: { id: 5 } } }, include: { author: true, tags: true } }),
    stored: async (prisma, title) => [
      (await prisma.post.count({ where: { id: 1, title } })) === 1,
      (await prisma.tag.count({ where: { id: 5, posts: { some: { title } } } })) === 1,
    ],
    isTransaction: true,
  },
  {
    what: 'several rows',
    write: ({ rpc }, title) => rpc.call('post/updateMany', { where: { id: { lte: 3 } }, data: { title } }),
    stored: async (prisma, title) => {
      const titles = await prisma.post.findMany({ where: { id: { lte: 3 } }, select: { title: true } });
      return titles.map((one) => one.title === title);
    },
  },
];

const POOLS = [
  ['alone', { statement_timeout: 4_000 }],
  ['in a transaction that keeps the time', {}],
] as const;

onDatabases('postgresql-server').describe('a connection that is lost during a write', () => {
  let database: TestDatabase;
  let cutting: FaultProxy;

  beforeAll(async () => {
    database = await openTestDatabase();
    cutting = await FaultProxy.before(database.connectionString ?? '');
  }, 60_000);
  beforeEach(() => database.prisma.$executeRawUnsafe('SELECT seed.restore()'));
  afterAll(async () => {
    await cutting.close();
    await database.close();
  });

  /** Waits until both sides have closed the connection, so that the write is committed or rolled back. */
  async function connectionClosed(pool: Pool): Promise<void> {
    const [row] = await database.prisma.$queryRaw<{ n: number }[]>`
      SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = ${NAME} AND datname = current_database()`;
    if (row?.n !== 0 || pool.totalCount > 0) return connectionClosed(pool);
  }

  async function serving(config: object, work: (app: TestApp, pool: Pool) => Promise<void>): Promise<void> {
    const pool = new Pool({ connectionString: cutting.connectionString, max: 1, application_name: NAME, ...config });
    const client = withSql(database.prisma, { pool, writes: true });
    pool.on('error', () => undefined);
    const options = { getClient: () => client, limits: { maxDuration: 5_000 } };
    const app = await startTestApp({ platform: 'fastify', database, options });
    try {
      await work(app, pool);
    } finally {
      await app.close();
      await pool.end();
    }
  }

  it.each(POOLS.flatMap(([how, config]) => WRITES.map((written) => ({ how, config, ...written }))))(
    'stores all or nothing, and answers with 500 unless the outcome is certain: $what, $how',
    async ({ config, write, stored, isTransaction }) => {
      const outcomes = new Set<string>();
      await serving(config, async (app, pool) => {
        /** Opens the connection first, so that only the bytes of the write are counted. */
        const attempt = async (cut: Cut): Promise<string> => {
          const mark = `${cut.way} ${cut.after}`;
          cutting.count();
          expect((await app.rpc.call('post/findUnique', { where: { id: 1 } })).status).toBe(200);
          cutting.count(cut);
          const { status, text } = await write(app, mark);
          if (cutting.isCut) await connectionClosed(pool);
          const rows = await stored(database.prisma, mark);
          expect(new Set(rows).size).toBe(1);
          const isUnknown = status === 500 && text.includes('did not confirm this write');
          return `${status}${isUnknown ? ' unknown' : ''}, ${rows[0] ? '' : 'not '}stored`;
        };
        for (const way of WAYS) {
          let after = 0;
          do {
            outcomes.add(await attempt({ way, after }));
            after += isTransaction ? Math.min(COMMIT_BYTES, STEP) : STEP;
          } while (cutting.isCut);
        }
      });
      // A success is always stored, and a definite error never. Before the commit is sent, the write is certainly not stored.
      const rest = [...outcomes].filter((one) => !/^(?:20[01], stored|500 unknown, (?:not )?stored)$/.test(one));
      expect(rest).toEqual(isTransaction ? ['503, not stored'] : []);
      expect(outcomes).toContain('500 unknown, stored');
      expect(outcomes).toContain('500 unknown, not stored');
    },
    600_000,
  );

  /** Terminates the connection of the pool during its commit. Returns whether it was in time. */
  async function terminateCommit(isOver: () => boolean): Promise<boolean> {
    const [row] = await database.prisma.$queryRaw<{ n: number }[]>`
      SELECT count(pg_terminate_backend(pid))::int AS n FROM pg_stat_activity
      WHERE application_name = ${NAME} AND datname = current_database() AND state = 'active' AND query = 'COMMIT'`;
    return row?.n !== 0 || (!isOver() && terminateCommit(isOver));
  }

  it('answers with 500 if the server terminates the connection during the commit', async () => {
    await serving({ options: '-c commit_delay=100000 -c commit_siblings=0' }, async ({ rpc }) => {
      const attempt = async (name: string): Promise<string | undefined> => {
        let isOver = false;
        const write = rpc.call('tag/create', { data: { name }, include: { posts: true } }).then(({ status, text }) => {
          isOver = true;
          return `${status} ${text}`;
        });
        const [answer, isEnded] = await Promise.all([write, terminateCommit(() => isOver)]);
        return isEnded ? answer : undefined;
      };
      let answer: string | undefined;
      for (let round = 0; answer === undefined; round++) answer = await attempt(`late ${round}`);
      expect(answer).toMatch(/^500 .*did not confirm this write/);
    });
  }, 60_000);
});
