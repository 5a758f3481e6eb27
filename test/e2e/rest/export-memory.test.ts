import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWhere } from '../../support/describe-where.js';
import { IS_LONG } from '../../support/long.js';
import { type CreatedDatabase, createDatabase, withServer } from '../../support/postgres-database.js';
import { type SampleProcess, startSample } from '../../support/sample-process.js';

const SERVER = process.env['TEST_DATABASE_URL'];
const ROWS = 1_000_000;
const MEGABYTE = 2 ** 20;

/** Exports a million rows from a server in a separate process. */
describeWhere(IS_LONG && SERVER !== undefined, 'TEST_PROFILE=full, and a server in TEST_DATABASE_URL', 'the memory of an export', () => {
  let database: CreatedDatabase;

  beforeAll(async () => {
    database = await createDatabase(SERVER ?? '', 'resource_api_export');
    const rows = `INSERT INTO "Tag" (name) SELECT 'tag ' || n || repeat('x', 200) FROM generate_series(1, ${ROWS}) n`;
    const statements = ['CREATE TABLE "Tag" (id serial PRIMARY KEY, name text NOT NULL UNIQUE)', rows, 'ANALYZE'];
    await withServer(database.connectionString, async (execute) => {
      for (const statement of statements) await execute(statement);
    });
  }, 300_000);
  afterAll(() => database.close(), 60_000);

  it.each([
    ['Prisma', 'application/x-ndjson', '0'],
    ['SQL reads', 'text/csv', '1'],
  ])(
    'SE-06: a client that reads a million rows at 1 kB/s costs less than 50 MB above the idle server (%s, %s)',
    async (_, accept, sqlReads) => {
      const server = await startExporting(database, sqlReads);
      const idle = residentBytes(server);
      const { taken, most } = await readSlowly(server, accept);
      await server.stop('SIGTERM');
      expect(taken).toBeGreaterThan(20 * 1000);
      expect(most - idle).toBeLessThan(50 * MEGABYTE);
    },
    300_000,
  );

  it('SE-06: a client that reads all rows at full speed costs as little', async () => {
    const server = await startExporting(database, '0');
    const idle = residentBytes(server);
    const response = await fetch(`${server.url}/tag`, { headers: { Accept: 'application/x-ndjson' } });
    let most = 0;
    let last = '';
    for await (const chunk of response.body ?? []) {
      last = (last + Buffer.from(chunk as Uint8Array).toString('latin1')).slice(-100);
      most = Math.max(most, residentBytes(server));
    }
    await server.stop('SIGTERM');
    expect(last.trimEnd().split('\n').at(-1)).toBe(`{"meta":{"complete":true,"count":${ROWS}}}`);
    expect((most - idle) / MEGABYTE).toBeLessThan(150);
  }, 600_000);
});

/** Starts a server and sends it some requests, because the first ones of a process allocate memory. */
async function startExporting({ connectionString }: CreatedDatabase, sqlReads: string): Promise<SampleProcess> {
  const environment = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: connectionString, SQL_READS: sqlReads };
  const start = { cwd: process.cwd(), node: process.execPath, environment };
  const server = await startSample('test/support/export-server.mjs', 'ready', start);
  for (let requests = 0; requests < 50; requests++) await (await fetch(`${server.url}/tag?page[limit]=100`)).text();
  return server;
}

/** Reads a kilobyte a second for half a minute, without reaching the end. */
async function readSlowly({ url, pid }: SampleProcess, accept: string): Promise<{ readonly taken: number; readonly most: number }> {
  const [response] = (await once(get(`${url}/tag`, { headers: { Accept: accept }, agent: false }), 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  let taken = 0;
  let most = 0;
  for (let seconds = 0; seconds < 30; seconds++) {
    taken += (response.read(1000) as Buffer | null)?.length ?? 0;
    most = Math.max(most, residentBytes({ pid }));
    await sleep(1000);
  }
  response.destroy();
  return { taken, most };
}

/** As the kernel counts it. */
function residentBytes({ pid }: Pick<SampleProcess, 'pid'>): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
