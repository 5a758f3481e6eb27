// The application of killed-connections.test.ts, fault-table.test.ts and several-instances.test.ts: it runs in a separate process, from the built package, with a pool as in the guides.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { PrismaPg } from '@prisma/adapter-pg';
import { ResourceApiModule, withRowLevelSecurity, withSql, withSqlReads } from 'nestjs-resource-api';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';

const { bundle, connectionString, replica, port, platform, client, settings, maxDuration, resources, cursorKeys } = JSON.parse(
  process.argv[2] ?? '{}',
);
const { PrismaClient, resourceSchema } = await import(bundle);

/** The last one that was created. */
let pool;
const newPool = (url) => (pool = new Pool({ connectionString: url, statement_timeout: 5_000, ...settings }));

/** The clients of README, guides and `init`. */
const CLIENTS = {
  'Prisma': (url) => {
    // As in docs/deployment.md, for a pool that is not passed to withSql.
    newPool(url);
    pool.on('error', (error) => console.warn(`The pool has lost a connection: ${error.message}`));
    pool.on('connect', (connection) => connection.on('error', () => undefined));
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
    return () => prisma;
  },
  'SQL reads': (url) => {
    newPool(url);
    const prisma = withSqlReads(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool });
    return () => prisma;
  },
  'SQL reads and writes': (url) => {
    newPool(url);
    const prisma = withSql(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool, writes: true });
    return () => prisma;
  },
  'a service with a pool': (url) => {
    class PrismaService extends PrismaClient {
      constructor() {
        newPool(url);
        super({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
        this.pool = pool;
      }
    }
    const service = new PrismaService();
    const sqlClient = withSqlReads(service, { pool: service.pool });
    return () => sqlClient;
  },
  'row-level security': (url) => {
    newPool(url);
    const db = withSql(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool, writes: true });
    return () => withRowLevelSecurity(db, { settings: { 'app.user_id': 1 } });
  },
};

/** Chooses the client like sample/read-replicas. The pool of the commands below is that of the primary. */
const getReplica = replica && CLIENTS[client](replica);
const getPrimary = CLIENTS[client](connectionString);

const api = ResourceApiModule.forRoot({
  schema: resourceSchema,
  getClient: ({ method }) => (getReplica && method === 'GET' ? getReplica() : getPrimary()),
  access: 'public',
  resources: { AuditEvent: { fields: { type: { name: 'kind' } } }, ...resources },
  idempotency: { caller: () => 'ada' },
  limits: { maxDuration: maxDuration ?? 5_000 },
  rest: { prefix: 'api/rest', endpoint: 'http://api.test/api/rest', operations: true, ...(cursorKeys && { cursorKeys, export: true }) },
  rpc: { prefix: 'api/rpc' },
});

/** The code of docs/recipes.md. */
class AppModule {
  async beforeApplicationShutdown() {
    app.getHttpServer().prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    await sleep(1000);
  }
}

const app = await NestFactory.create(
  { module: AppModule, imports: [api] },
  platform === 'express' ? new ExpressAdapter() : new FastifyAdapter({ return503OnClosing: false }),
  {
    logger: ['warn', 'error'],
  },
);
app.enableShutdownHooks();
await app.listen(port ?? 0, '127.0.0.1');
process.send?.({ url: await app.getUrl() });
process.on('disconnect', () => process.exit());

const { now } = Date;

/** The commands of tests to this process. */
const COMMANDS = {
  /** Moves the clock by some milliseconds. */
  clock: (milliseconds) => {
    Date.now = () => now() + milliseconds;
    globalThis.Date = class extends Date {
      /** @param {ConstructorParameters<typeof Date>} given */
      constructor(...given) {
        super(...(given.length === 0 ? [Date.now()] : given));
      }
    };
  },
  /** Acquires all connections of the pool for some milliseconds, like a leak of the application. */
  hold: async (milliseconds) => {
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    setTimeout(() => {
      for (const connection of taken) connection.release();
    }, milliseconds);
  },
  /** Returns the number of connections of the pool, and of those in use. */
  count: () => ({ total: pool.totalCount, used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
};

process.on('message', async ({ command, value }) => {
  process.send?.({ result: await COMMANDS[command](value) });
});
