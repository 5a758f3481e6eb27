import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { memberOf } from '../../../lib/errors/member-of.js';
import { type ApplicationProcess, bundleClient, type ClientBundle } from '../../support/application-process.js';
import { HAPROXY, type Haproxy, startHaproxy } from '../../support/haproxy.js';
import { describeWhere } from '../../support/describe-where.js';
import { findFreePort, POSTGRES_BIN } from '../../support/own-postgres.js';
import { PGBOUNCER, type PgBouncer, startPgBouncer } from '../../support/pgbouncer.js';
import { openPostgres } from '../../support/postgres-database.js';
import { PROFILE } from '../../support/profile.mjs';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../../support/replicated-postgres.js';
import { Ledger } from './ledger.js';
import { atomicOperations, Load, post, REQUESTS } from './load.js';
import { execute, withDatabase } from './scene.js';

const ENGINES = ['Prisma', 'SQL reads and writes'] as const;

/** Behind a pooler, `statement_timeout` is a setting of the role. */
const SETTINGS = { statement_timeout: false, connectionTimeoutMillis: 3000, query_timeout: 4000, max: 5 };

const JSON_API = { 'content-type': 'application/vnd.api+json' };

/** Rows of exports, more than sockets buffer. No request of the load changes them. */
const ROWS = 20_000;

/** Rows that are read by cursors, page by page. */
const PAGED = 500;

const LACKING = 'TEST_PROFILE=ci, the programs of a PostgreSQL server, PgBouncer and HAProxy';
const IS_SKIPPED = POSTGRES_BIN === undefined || PGBOUNCER === undefined || HAPROXY === undefined || PROFILE === 'quick';

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly links: { readonly next: string | null };
}

/** An instance of the application, which is started again on its port. */
class Instance {
  #process: ApplicationProcess | undefined;

  constructor(
    private readonly bundle: ClientBundle,
    private readonly options: { readonly port: number },
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  async start(): Promise<void> {
    this.#process = await this.bundle.start(new URL('application.mjs', import.meta.url), this.options);
  }

  async kill(): Promise<void> {
    this.#process?.child.kill('SIGKILL');
    await this.#process?.ended;
  }

  /** The signal or the code that ended it; undefined while it runs. */
  get end(): number | string | undefined {
    return this.#process?.child.exitCode ?? this.#process?.child.signalCode ?? undefined;
  }
}

describeWhere(!IS_SKIPPED, LACKING, 'four instances behind HAProxy, with PgBouncer, a primary and a streaming replica', () => {
  let bundle: ClientBundle;
  let servers: ReplicatedPostgres;
  let bouncer: PgBouncer;
  let primary: string;
  let replica: string;

  beforeAll(async () => {
    bundle = await bundleClient();
    servers = await startReplicatedPostgres(POSTGRES_BIN ?? '', ['max_connections=80']);
    primary = (await openPostgres(servers.primaryUrl)).connectionString ?? '';
    replica = Object.assign(new URL(servers.replicaUrl), { pathname: new URL(primary).pathname }).href;
    bouncer = await startPgBouncer(primary, { settings: ['default_pool_size = 10'] });
    await execute(
      { connectionString: primary },
      `INSERT INTO "Tag" (id, name) SELECT 10000 + n, 'tag ' || n FROM generate_series(1, ${ROWS}) n`,
      `SELECT setval(pg_get_serial_sequence('"AuditEvent"', 'id'), 1000)`,
    );
    await servers.caughtUp();
  }, 120_000);
  afterAll(async () => {
    await bouncer.stop();
    await servers.stop();
    await bundle.remove();
  }, 60_000);

  describe.each(ENGINES)('%s', (client) => {
    const ledger = new Ledger();
    let instances: readonly Instance[];
    let proxy: Haproxy;

    beforeAll(async () => {
      const ports = await Promise.all(Array.from({ length: 4 }, () => findFreePort()));
      instances = ports.map((port, index) => {
        const platform = index % 2 === 0 ? 'express' : 'fastify';
        const cursorKeys = ['the same secret of all four instances'];
        const resources = { Post: { version: 'viewCount' } };
        const connectionString = bouncer.through(primary);
        return new Instance(bundle, {
          port,
          ...{ connectionString, replica, platform, client, settings: SETTINGS, cursorKeys, resources },
        });
      });
      await Promise.all(instances.map((instance) => instance.start()));
      proxy = await startHaproxy(ports);
    }, 120_000);
    afterAll(async () => {
      await proxy.stop();
      await Promise.all(instances.map((instance) => instance.kill()));
    });

    const engine = client.replaceAll(' ', '-');
    const load = (name: string): Load => new Load(proxy.url, ledger, `${engine}-${name}`, [...REQUESTS, atomicOperations]);

    async function expectNothingLost(sent: Load): Promise<void> {
      expect(await sent.repeatKeyed()).toEqual([]);
      expect(await withDatabase({ connectionString: primary }, (database) => ledger.differences(database))).toEqual([]);
      expect(ledger.count('stored')).toBeGreaterThan(20);
    }

    it('stores each successful write once while instances are killed and restarted', async () => {
      const sent = load('killed');
      await sent.during(async () => {
        for (const instance of instances) {
          await sleep(300);
          await instance.kill();
          await instance.start();
        }
      });
      expect(sent.refusals).toEqual([]);
      await expectNothingLost(sent);
    }, 120_000);

    it('rejects reads, but no write, while the replica is down', async () => {
      const sent = load('replica');
      await sent.during(async () => {
        await servers.replica.kill();
        await sleep(1000);
        await servers.replica.start();
      });
      const reads = /^\/api\/(?:rest\/post[/?]|rpc\/post\/findMany)/;
      expect(sent.refusals.filter(({ status, path }) => status !== 503 || !reads.test(path))).toEqual([]);
      expect(sent.refusals.length).toBeGreaterThan(0);
      await expectNothingLost(sent);
      expect(instances.map(({ end }) => end)).toEqual([undefined, undefined, undefined, undefined]);
      const after = new Load(proxy.url, new Ledger(), 'after');
      await expectEventually(
        () => Promise.all(Array.from({ length: 16 }, () => after.next())),
        (statuses) => statuses.every((status) => status < 400),
      );
    }, 120_000);

    it('accepts a cursor on every instance, also after one has been killed', async () => {
      const ids: string[] = [];
      let search = `?sort=name&filter[id][gt]=10000&filter[id][lte]=${10_000 + PAGED}&page[size]=50`;
      for (let page = 0; search !== ''; page++) {
        if (page === 3) {
          await instances[1]?.kill();
          await instances[1]?.start();
        }
        const response = await fetch(`${instances[page % 4]?.url}/api/rest/tag${search}`);
        const { data, links } = (await response.json()) as Page;
        ids.push(...data.map(({ id }) => id));
        search = links.next === null ? '' : new URL(links.next).search;
      }
      expect(new Set(ids).size).toBe(PAGED);
      expect(ids).toHaveLength(PAGED);
    }, 60_000);

    it('executes a write with a key once if several instances receive it concurrently', async () => {
      for (let round = 0; round < 10; round++) {
        const mark = `once-${engine}-${round}`;
        const body = { data: { type: 'auditEvent', attributes: { kind: mark, payload: {} } } };
        const responses = await Promise.all(
          instances.map(({ url }) => fetch(`${url}/api/rest/auditEvent`, post({ ...JSON_API, 'idempotency-key': mark }, body))),
        );
        const texts = await Promise.all(responses.map((response) => response.text()));
        expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
        expect(new Set(texts).size).toBe(1);
        expect(await count(mark)).toBe(1);
      }
    }, 60_000);

    it('has the same ETag on every instance, and accepts one of several writes with it', async () => {
      const path = '/api/rest/post/3';
      await servers.caughtUp();
      const tags = await Promise.all(instances.map(async ({ url }) => (await fetch(`${url}${path}`)).headers.get('etag') ?? ''));
      expect(new Set(tags).size).toBe(1);
      const [tag = ''] = tags;
      expect((await fetch(`${proxy.url}${path}`, { headers: { 'if-none-match': tag } })).status).toBe(304);
      const statuses = await Promise.all(
        instances.map(async ({ url }, index) => {
          const body = { data: { type: 'post', id: 3, attributes: { title: `title ${index}` } } };
          return (await fetch(`${url}${path}`, { ...post({ ...JSON_API, 'if-match': tag }, body), method: 'PATCH' })).status;
        }),
      );
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
    }, 60_000);

    it('has no complete: true in an export whose instance is killed, and another instance resumes it', async () => {
      const path = '/api/rest/tag?sort=name&filter[id][gt]=10000';
      const whole = await exported(`${proxy.url}${path}`);
      expect(whole.at(-1)).toEqual({ meta: { complete: true, count: ROWS } });
      const begun = await exported(`${instances[0]?.url}${path}`, () => instances[0]?.kill());
      await instances[0]?.start();
      expect(begun.length).toBeLessThan(whole.length);
      const cursor = memberOf(memberOf(memberOf(begun.at(-1), 'meta'), 'page'), 'cursor');
      const rest = await exported(`${instances[2]?.url}${path}&page[after]=${String(cursor)}`);
      expect(idsOf([...begun, ...rest])).toEqual(idsOf(whole));
    }, 60_000);

    async function count(mark: string): Promise<number> {
      const { rows } = await withDatabase({ connectionString: primary }, (database) =>
        database.query<{ n: number }>('SELECT count(*)::int AS n FROM "AuditEvent" WHERE type = $1', [mark]),
      );
      return rows[0]?.n ?? 0;
    }
  });
});

async function expectEventually<Value>(read: () => Promise<Value>, isExpected: (value: Value) => boolean): Promise<void> {
  for (let left = 150; left > 0; left--) {
    if (isExpected(await read())) return;
    await sleep(100);
  }
  throw new Error('It has not become what was expected within 15 seconds.');
}

/** Reads an export until its end, or until its connection is closed. Returns its complete lines. */
async function exported(url: string, afterFirstChunk?: () => Promise<void> | undefined): Promise<readonly unknown[]> {
  let text = '';
  const response = await fetch(url, { headers: { accept: 'application/x-ndjson' } });
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      if (text === '') await afterFirstChunk?.();
      text += chunk;
    }
  } catch {
    // The connection was closed.
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
}

function idsOf(lines: readonly unknown[]): readonly unknown[] {
  return lines.map((line) => memberOf(line, 'id')).filter((id) => id !== undefined);
}
