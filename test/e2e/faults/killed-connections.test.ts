import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { type ApplicationProcess, bundleClient, type ClientBundle } from '../../support/application-process.js';
import { openPostgres } from '../../support/postgres-database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { SERVER_URL } from '../policy/engines.js';

/** The platforms of the script `application.mjs`. */
const PLATFORMS = ['express', 'fastify'] as const;

const CLIENTS = ['Prisma', 'SQL reads', 'SQL reads and writes', 'a service with a pool', 'row-level security'] as const;

/** The time during which connections are terminated, ten times a second. */
const KILLING = 2500;

onDatabases('postgresql-server').describe('an application whose connections are terminated ten times a second', () => {
  let bundle: ClientBundle;
  let database: Awaited<ReturnType<typeof openPostgres>>;
  let killer: Pool;

  beforeAll(async () => {
    bundle = await bundleClient();
    database = await openPostgres(SERVER_URL ?? '');
    killer = new Pool({ connectionString: database.connectionString, max: 1 });
    await killer.query(`SELECT setval(pg_get_serial_sequence('"AuditEvent"', 'id'), 1000)`);
  }, 120_000);
  afterAll(async () => {
    await killer.end();
    await database.close();
    await bundle.remove();
  });

  /** Terminates some idle and busy connections of the application, or all of them without a number. */
  const kill = (most = 100): Promise<unknown> =>
    killer.query(
      `SELECT pg_terminate_backend(pid) FROM (
         SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT $1
       ) AS chosen`,
      [most],
    );

  const start = (options: object): Promise<ApplicationProcess> =>
    bundle.start(new URL('application.mjs', import.meta.url), { connectionString: database.connectionString, ...options });

  it.each(PLATFORMS.flatMap((platform) => CLIENTS.map((client) => [client, platform] as const)))(
    'with %s on %s keeps running, and answers afterwards',
    async (client, platform) => {
      const { url, child, ended, log } = await start({ platform, client });
      try {
        const faults: string[] = [];
        const send = async (index: number): Promise<void> => {
          const [path, init] = REQUESTS[index % REQUESTS.length] ?? [''];
          const response = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(10_000) });
          const body = await response.text();
          if (!isExpected(response.status, body)) faults.push(`${path} ${response.status} ${body}`);
        };
        // Idle connections before Prisma has connected.
        await send(0);
        await kill();
        let isOver = false;
        const worker = async (from: number): Promise<void> => {
          for (let index = from; !isOver && child.exitCode === null; index++) {
            await send(index).catch(() => undefined);
            if (index % 5 === 0) await sleep(10);
          }
        };
        const workers = [0, 1, 2, 3, 4, 5].map(worker);
        for (let round = 0; round < KILLING / 100; round++) {
          await kill(round % 4 === 3 ? 100 : 3);
          await sleep(100);
        }
        isOver = true;
        await Promise.all(workers);
        await sleep(50);
        await kill();
        await sleep(200);
        expect([child.exitCode, child.exitCode === null ? '' : log()]).toEqual([null, '']);
        for (const [path, init] of REQUESTS) {
          // A connection that has just been ended may be in the pool still.
          const answers = [];
          for (let attempt = 0; attempt < 12 && answers.at(-1) !== 200 && answers.at(-1) !== 201; attempt++) {
            answers.push((await fetch(`${url}${path}`, init)).status);
          }
          expect([200, 201]).toContain(answers.at(-1));
        }
        expect(faults).toEqual([]);
        if (client !== 'Prisma') expect(log()).toMatch(/The pool has lost a connection to 127\.0\.0\.1:\d+: .*terminat/);
      } finally {
        child.kill();
        await ended;
      }
    },
    60_000,
  );
});

/** A write whose connection is lost before its answer may be stored. */
function isExpected(status: number, body: string): boolean {
  return [200, 201, 503].includes(status) || (status === 500 && /outcome.unknown|P2034|not confirm/i.test(body));
}

const JSON_API = { 'content-type': 'application/vnd.api+json' };
const RPC = { 'content-type': 'application/json' };

const post = (headers: Readonly<Record<string, string>>, body: unknown): RequestInit => ({
  method: 'POST',
  headers,
  body: JSON.stringify(body),
});

const REQUESTS: readonly (readonly [string, RequestInit?])[] = [
  ['/api/rest/post?page[limit]=5'],
  ['/api/rest/post/1'],
  ['/api/rest/post?include=author,comments&page[limit]=5'],
  ['/api/rest/auditEvent', post(JSON_API, { data: { type: 'auditEvent', attributes: { kind: 'killed', payload: {} } } })],
  ['/api/rpc/post/findMany?q=%7B%22take%22%3A3%7D'],
  ['/api/rpc/auditEvent/create', post(RPC, { data: { type: 'killed', payload: {} } })],
  [
    '/api/rpc/$transaction/sequential',
    post(
      RPC,
      [1, 2, 3].map((n) => ({ model: 'auditEvent', op: 'create', args: { data: { type: `killed ${n}`, payload: {} } } })),
    ),
  ],
];
