import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApplicationProcess, bundleClient, type ClientBundle } from '../../support/application-process.js';
import { FaultProxy } from '../../support/fault-proxy.js';
import { describeWhere } from '../../support/describe-where.js';
import { IS_LONG } from '../../support/long.js';
import { type OwnPostgres, POSTGRES_BIN, startOwnPostgres } from '../../support/own-postgres.js';
import { openPostgres } from '../../support/postgres-database.js';
import { PROFILE } from '../../support/profile.mjs';
import { type Fault, FAULTS, TERMINATED } from './fault-table.js';
import { Ledger } from './ledger.js';
import { Load, type Refusal } from './load.js';
import { command, type PoolCounts, type Scene, withDatabase } from './scene.js';

/** The platforms of the script `application.mjs`. */
const PLATFORMS = ['express', 'fastify'] as const;

const ENGINES = ['Prisma', 'SQL reads and writes'] as const;

/** The settings that docs/reliability.md recommends, with shorter timeouts. */
const SETTINGS = { statement_timeout: 1500, connectionTimeoutMillis: 2000, query_timeout: 4000 };
const MAX_DURATION = 6000;

/** Milliseconds until an application must have recovered from the fault. */
const RECOVERY = 15_000;

it('is the table of docs/reliability.md', () => {
  const page = readFileSync(new URL('../../../docs/reliability.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('\n| fault |');
  const rows = table.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual([...FAULTS, TERMINATED].map(({ name }) => name));
});

const IS_SKIPPED = POSTGRES_BIN === undefined || PROFILE === 'quick';

describeWhere(!IS_SKIPPED, 'TEST_PROFILE=ci and the programs of a PostgreSQL server', 'the fault table', () => {
  let bundle: ClientBundle;
  let server: OwnPostgres;
  let database: { readonly connectionString?: string | undefined };
  let proxy: FaultProxy;

  beforeAll(async () => {
    bundle = await bundleClient();
    server = await startOwnPostgres(POSTGRES_BIN ?? '', ['deadlock_timeout=50ms', 'max_connections=60']);
    database = await openPostgres(server.url);
    proxy = await FaultProxy.before(database.connectionString ?? '');
    await withDatabase(direct(), (client) => client.query(`SELECT setval(pg_get_serial_sequence('"AuditEvent"', 'id'), 1000)`));
  }, 120_000);
  afterAll(async () => {
    await proxy.close();
    await server.remove();
    await bundle.remove();
  });

  const direct = () => ({ connectionString: database.connectionString ?? '' });

  describe.each(ENGINES.flatMap((engine) => PLATFORMS.map((platform) => [engine, platform] as const)))('%s on %s', (engine, platform) => {
    let app: ApplicationProcess;
    const ledger = new Ledger();

    beforeAll(async () => {
      const { connectionString } = proxy;
      const options = { connectionString, platform, client: engine, settings: SETTINGS, maxDuration: MAX_DURATION };
      app = await bundle.start(new URL('application.mjs', import.meta.url), options);
    }, 60_000);
    afterAll(async () => {
      app.child.kill('SIGKILL');
      await app.ended;
    });

    const isAlive = (): boolean => app.child.exitCode === null && app.child.signalCode === null;

    function sceneOf(fault: Fault): Scene {
      const name = `${engine} ${platform} ${[...FAULTS, TERMINATED].indexOf(fault)}`.replaceAll(' ', '-');
      return { ...direct(), server, proxy, app, load: new Load(app.url, ledger, name, fault.requests) };
    }

    it.each(FAULTS.map((fault) => [fault.name, fault] as const))(
      '%s',
      async (_, fault) => {
        const scene = sceneOf(fault);
        const logged = app.log().length;
        await scene.load.during(() => fault.inflict(scene));
        const { refusals } = scene.load;
        expect(isAlive() ? '' : app.log()).toBe('');
        await expectRecovery(scene);
        expect(await scene.load.repeatKeyed()).toEqual([]);
        expect(await withDatabase(scene, (client) => ledger.differences(client))).toEqual([]);
        expectRefusals(refusals, fault);
        expectLogged(refusals, app.log().slice(logged), fault);
      },
      IS_LONG ? 300_000 : 90_000,
    );

    it(
      TERMINATED.name,
      async () => {
        const scene = sceneOf(TERMINATED);
        await scene.load.during(() => TERMINATED.inflict(scene));
        expect(await app.ended).toEqual([null, 'SIGTERM']);
        expect(scene.load.refusals).toEqual([]);
        expect(await withDatabase(scene, (client) => ledger.differences(client))).toEqual([]);
        expect(ledger.count('stored')).toBeGreaterThan(0);
      },
      60_000,
    );
  });
});

/** Every request of several clients is answered, no connection is in use, and none has a transaction. */
async function expectRecovery(scene: Scene): Promise<void> {
  const end = performance.now() + RECOVERY;
  const after = new Load(scene.app.url, new Ledger(), 'after');
  let statuses: readonly number[] = [];
  do {
    statuses = await Promise.all(Array.from({ length: 24 }, () => after.next()));
  } while (statuses.some((status) => status >= 400) && performance.now() < end);
  expect(statuses.filter((status) => status >= 400)).toEqual([]);
  let left = '';
  do {
    left = JSON.stringify(await inUse(scene));
    if (left !== IDLE) await sleep(50);
  } while (left !== IDLE && performance.now() < end);
  expect(left).toBe(IDLE);
}

const IDLE = JSON.stringify({ used: 0, waiting: 0, busy: 0 });

async function inUse(scene: Scene): Promise<object> {
  const { used, waiting } = await command<PoolCounts>(scene, 'count');
  const { rows } = await withDatabase(scene, (client) =>
    client.query<{ busy: number }>(`SELECT count(*)::int AS busy FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()`),
  );
  return { used, waiting, busy: rows[0]?.busy };
}

function expectRefusals(refusals: readonly Refusal[], { refusals: expected }: Fault): void {
  const wrong = refusals.filter(({ status, said }) => expected?.test(`${status} ${said}`) !== true);
  expect(wrong.slice(0, 3)).toEqual([]);
  if (expected?.test('') === false) expect(refusals.length).toBeGreaterThan(0);
}

/** Expects one log line for each error response, with its id in REST, and with the cause. */
function expectLogged(refusals: readonly Refusal[], log: string, { cause = /^$/, mayBeLate }: Fault): void {
  const lines = log.split('\n').filter((line) => /(?:unavailable|outcome-unknown|unknown-error) [\da-f-]{36} /.test(line));
  expect(refusals.filter(({ id }) => id !== undefined && !log.includes(id))).toEqual([]);
  const ofRpc = refusals.filter(({ path }) => path.startsWith('/api/rpc')).length;
  expect(lines.filter((line) => line.includes(' /api/rpc/')).length).toBeGreaterThanOrEqual(ofRpc);
  const unexplained = lines.filter((line) => !cause.test(line) && !(mayBeLate === true && line.includes('limits.maxDuration')));
  expect(unexplained.slice(0, 3)).toEqual([]);
  if (refusals.length > 0) expect(lines.some((line) => cause.test(line))).toBe(true);
}
