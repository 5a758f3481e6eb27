// The application of killed-connections.test.ts and fault-table.test.ts: it runs in a process of its own, from the built package, with a pool as the guides write it.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { PrismaPg } from '@prisma/adapter-pg';
import { ResourceApiModule, withRowLevelSecurity, withSql, withSqlReads } from 'nestjs-resource-api';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';

const { bundle, connectionString, platform, client, settings, maxDuration } = JSON.parse(process.argv[2] ?? '{}');
const { PrismaClient, resourceSchema } = await import(bundle);

/** The last one that was created. */
let pool;
const newPool = () => (pool = new Pool({ connectionString, statement_timeout: 5_000, ...settings }));

/** The clients of README, guides and `init`. */
const CLIENTS = {
  'Prisma': () => {
    // As docs/deployment.md writes it for a pool that withSql is not given.
    newPool();
    pool.on('error', (error) => console.warn(`The pool has lost a connection: ${error.message}`));
    pool.on('connect', (connection) => connection.on('error', () => undefined));
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
    return () => prisma;
  },
  'SQL reads': () => {
    newPool();
    const prisma = withSqlReads(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool });
    return () => prisma;
  },
  'SQL reads and writes': () => {
    newPool();
    const prisma = withSql(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool, writes: true });
    return () => prisma;
  },
  'a service with a pool': () => {
    class PrismaService extends PrismaClient {
      constructor() {
        newPool();
        super({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
        this.pool = pool;
      }
    }
    const service = new PrismaService();
    const sqlClient = withSqlReads(service, { pool: service.pool });
    return () => sqlClient;
  },
  'row-level security': () => {
    newPool();
    const db = withSql(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool, writes: true });
    return () => withRowLevelSecurity(db, { settings: { 'app.user_id': 1 } });
  },
};

const api = ResourceApiModule.forRoot({
  schema: resourceSchema,
  getClient: CLIENTS[client](),
  access: 'public',
  resources: { AuditEvent: { fields: { type: { name: 'kind' } } } },
  idempotency: { caller: () => 'ada' },
  limits: { maxDuration: maxDuration ?? 5_000 },
  rest: { prefix: 'api/rest', endpoint: 'http://api.test/api/rest' },
  rpc: { prefix: 'api/rpc' },
});

/** As docs/recipes.md writes it. */
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
await app.listen(0, '127.0.0.1');
process.send?.({ url: await app.getUrl() });
process.on('disconnect', () => process.exit());

const { now } = Date;

/** What a test may do in this process. */
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
  /** Takes all connections of the pool for some milliseconds, as a leak of the application does. */
  hold: async (milliseconds) => {
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    setTimeout(() => {
      for (const connection of taken) connection.release();
    }, milliseconds);
  },
  /** Tells how many connections the pool has, and how many of them are in use. */
  count: () => ({ total: pool.totalCount, used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
};

process.on('message', async ({ command, value }) => {
  process.send?.({ result: await COMMANDS[command](value) });
});
