import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { withSql, withSqlReads } from '../../../lib/index.js';
import { PrismaClient } from '../../support/generated/prisma/client.js';
import { openPostgres, withServer } from '../../support/postgres-database.js';
import { PLATFORMS, startTestApp, type TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { SERVER_URL } from '../policy/engines.js';

/** The tenant of the request, which is the author of its posts. */
const TENANT = new AsyncLocalStorage<number>();

const ROLE = 'resource_api_tenant';
const REQUESTS = 60;
const TENANTS = [1, 2, 3, 4, 5];

/** Timeouts for sixty transactions on eight connections, which may wait longer than Prisma's default of two seconds. */
const PATIENT = { maxWait: 60_000, timeout: 60_000 };

/** Policies on every table: posts and users by the tenant's id, translations by a hash, so that each tenant reads other rows. */
const POLICIES = `
  DO $$ BEGIN CREATE ROLE ${ROLE} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
  GRANT USAGE ON SCHEMA public TO ${ROLE};
  GRANT ALL ON ALL TABLES IN SCHEMA public TO ${ROLE};
  ALTER TABLE "Post" ENABLE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON "Post" USING ("authorId" = current_setting('app.tenant')::int);
  ALTER TABLE "User" ENABLE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON "User" USING (id = current_setting('app.tenant')::int);
  ALTER TABLE "Translation" ENABLE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON "Translation" USING (abs(hashtext(key)) % 5 + 1 = current_setting('app.tenant')::int);
  INSERT INTO "Post" ("id", "title", "authorId", "updatedAt")
    SELECT 100 + n, 'Post of ' || n, 1 + n % 5, now() FROM generate_series(1, 40) n WHERE n % 7 < 4;
  INSERT INTO "Translation" SELECT 'en', 'key' || n, 'Text ' || n FROM generate_series(100, 140) n;
`;

const BIND = `SELECT set_config('role', '${ROLE}', false), set_config('app.tenant', $1, false)`;

/** A pool that binds each connection to the tenant of the asynchronous context that takes it. */
class TenantPool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void): void;
  override connect(
    callback?: (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): unknown {
    const tenant = TENANT.getStore() ?? 0;
    const bound = super.connect().then(async (client) => {
      await client.query(BIND, [String(tenant)]);
      return client;
    });
    if (!callback) return bound;
    bound.then(
      (client) => {
        callback(undefined, client, (release) => {
          client.release(release as boolean | undefined);
        });
      },
      (error: unknown) => {
        callback(error as Error, undefined, () => undefined);
      },
    );
    return undefined;
  }
}

interface Opened {
  readonly client: object;
  readonly close: () => Promise<void>;
}

type Open = (connectionString: string) => Opened;

/** Three ways to bind the tenant below Prisma, each with the clients of the application. */
const WAYS: readonly (readonly [string, Open])[] = [
  ['a pool that binds connections, Prisma', (url) => onTenantPool(url, (prisma) => prisma)],
  ['a pool that binds connections, SQL reads', (url) => onTenantPool(url, (prisma, pool) => withSqlReads(prisma, { pool }))],
  [
    'a pool that binds connections, SQL reads and writes',
    (url) => onTenantPool(url, (prisma, pool) => withSql(prisma, { pool, writes: true })),
  ],
  ['a pool that binds connections, SQL reads of Prisma', (url) => onTenantPool(url, (prisma) => withSqlReads(prisma))],
  [
    'a pool that binds connections, an extension with a name alone and SQL reads',
    (url) => onTenantPool(url, (prisma, pool) => withSqlReads(prisma.$extends({ name: 'alone' }), { pool })),
  ],
  ['a pool that binds connections, a query hook that waits', (url) => onTenantPool(url, hooked)],
  ['an extension that sets the tenant in a transaction', inTransactions],
  ['an extension that sets the tenant in a transaction, of a client with SQL reads', (url) => inTransactions(url, true)],
  ['a driver adapter with a connection for each tenant, Prisma', (url) => onAdapters(url, (prisma) => prisma)],
  ['a driver adapter with a connection for each tenant, SQL reads', (url) => onAdapters(url, (prisma) => withSqlReads(prisma))],
];

function onTenantPool(connectionString: string, extend: (prisma: PrismaClient, pool: Pool) => object): Opened {
  const pool = new TenantPool({ connectionString, max: 8, statement_timeout: 4_000 });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: PATIENT });
  return {
    client: extend(prisma, pool),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

function hooked(prisma: PrismaClient): object {
  return prisma.$extends({
    query: {
      $allModels: {
        $allOperations: async ({ args, query }) => {
          await sleep(1);
          return query(args);
        },
      },
    },
  });
}

function inTransactions(connectionString: string, inSql = false): Opened {
  const pool = new Pool({ connectionString, max: 8, statement_timeout: 4_000 });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: PATIENT });
  const base = inSql ? withSqlReads(prisma, { pool }) : prisma;
  const client = base.$extends({
    query: {
      $allOperations: async ({ args, query }) => {
        const tenant = String(TENANT.getStore() ?? 0);
        const bind = prisma.$executeRaw`SELECT set_config('role', ${ROLE}, true), set_config('app.tenant', ${tenant}, true)`;
        const [, result] = await prisma.$transaction([bind, query(args) as never]);
        return result;
      },
    },
  });
  return {
    client,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/** An adapter that sends each statement on a connection of the tenant's role. */
function onAdapters(connectionString: string, extend: (prisma: PrismaClient) => object): Opened {
  const bound = (tenant: number): string => `-c role=${ROLE} -c app.tenant=${tenant}`;
  const factory = new PrismaPg({ connectionString });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const ofTenants = new Map(
      await Promise.all(
        TENANTS.map(
          async (tenant) => [tenant, await new PrismaPg({ connectionString, max: 2, options: bound(tenant) }).connect()] as const,
        ),
      ),
    );
    const own = (): typeof adapter => ofTenants.get(TENANT.getStore() ?? 0) ?? adapter;
    return new Proxy(adapter, {
      get: (target, name) => {
        if (name === 'dispose')
          return async () => {
            await Promise.all([...ofTenants.values(), adapter].map((one) => one.dispose()));
          };
        const owner = name === 'queryRaw' || name === 'executeRaw' || name === 'startTransaction' ? own() : target;
        const member: unknown = Reflect.get(owner, name);
        return typeof member === 'function' ? (member.bind(owner) as unknown) : member;
      },
    });
  };
  const prisma = new PrismaClient({ adapter: factory, transactionOptions: PATIENT });
  return { client: extend(prisma), close: () => prisma.$disconnect() };
}

const rpc = (operation: string, args: unknown): string => `/api/rpc/${operation}?q=${encodeURIComponent(JSON.stringify(args))}`;

/** Reads by one key, by a compound key, with related rows, of lists with totals: each of any tenant's rows. */
const PATHS = (row: number): readonly string[] => [
  `/api/rest/post/${row}`,
  `/api/rest/post/${row}?include=author`,
  rpc('post/findUnique', { where: { id: row } }),
  rpc('post/findUniqueOrThrow', { where: { id: row }, select: { id: true, title: true } }),
  rpc('post/findUnique', { where: { id: row }, include: { author: true, comments: true } }),
  rpc('translation/findUnique', { where: { locale_key: { locale: 'en', key: `key${row}` } } }),
  '/api/rest/post?page[limit]=5',
  '/api/rest/post?page[limit]=5&page[offset]=2&sort=-id',
  '/api/rest/user?page[limit]=5&include=posts',
  rpc('post/findMany', { orderBy: { id: 'asc' }, take: 10 }),
  rpc('post/findFirst', { orderBy: { id: 'asc' } }),
  rpc('post/count', {}),
];

onDatabases('postgresql-server').describe('concurrent requests of several tenants that are bound below Prisma', () => {
  let url: string;
  let closeDatabase: () => Promise<void>;

  beforeAll(async () => {
    const database = await openPostgres(SERVER_URL ?? '');
    ({ close: closeDatabase } = database);
    url = database.connectionString ?? '';
    await withServer(url, (execute) => execute(POLICIES));
  }, 60_000);
  afterAll(() => closeDatabase());

  describe.each(WAYS)('by %s', (_, open) => {
    let opened: Opened;
    let apps: readonly TestApp[];

    beforeAll(async () => {
      opened = open(url);
      apps = await Promise.all(PLATFORMS.map((platform) => serve(platform, opened.client)));
    }, 60_000);
    afterAll(async () => {
      await Promise.all(apps.map((app) => app.close()));
      await opened.close();
    });

    it.each(PLATFORMS)(
      'receive the same responses as alone, on %s',
      async (platform) => {
        const app = apps[PLATFORMS.indexOf(platform)];
        const alone = new Map<string, string>();
        for (let round = 0; round < PATHS(0).length; round++) {
          // Most requests of a round are the same read, so that they could share a statement.
          const requests = Array.from({ length: REQUESTS }, (_, index) => {
            const tenant = 1 + ((index * 3) % 5);
            const paths = PATHS(101 + ((index * 7) % 20));
            return { tenant, path: paths[(index % 4 === 0 ? index : round) % paths.length] ?? '' };
          });
          const send = async ({ tenant, path }: (typeof requests)[number]): Promise<string> => {
            const response = await fetch(`${app?.url}${path}`, { headers: { 'X-Tenant': String(tenant) } });
            return `${tenant} ${path} ${response.status} ${await response.text()}`;
          };
          for (const request of requests) {
            const key = JSON.stringify(request);
            alone.set(key, alone.get(key) ?? (await send(request)));
          }
          expect(await Promise.all(requests.map(send))).toEqual(requests.map((request) => alone.get(JSON.stringify(request))));
        }
      },
      120_000,
    );
  });
});

function serve(platform: (typeof PLATFORMS)[number], client: object): Promise<TestApp> {
  return startTestApp({
    platform,
    options: { getClient: () => client, limits: { maxDuration: 60_000 } },
    configure: (nest) => {
      nest.use((request: { readonly headers: Readonly<Record<string, string | undefined>> }, _: unknown, next: () => void) => {
        TENANT.run(Number(request.headers['x-tenant']), next);
      });
    },
  });
}
