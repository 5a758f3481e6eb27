// An application of killed-connections.test.ts: it runs in a process of its own, from the built package, with a pool as the guides write it.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { PrismaPg } from '@prisma/adapter-pg';
import { ResourceApiModule, withRowLevelSecurity, withSql, withSqlReads } from 'nestjs-resource-api';
import { Pool } from 'pg';

const { bundle, connectionString, platform, client } = JSON.parse(process.argv[2] ?? '{}');
const { PrismaClient, resourceSchema } = await import(bundle);

const newPool = () => new Pool({ connectionString, statement_timeout: 5_000 });

/** The clients of README, guides and `init`. */
const CLIENTS = {
  'Prisma': () => {
    // As docs/deployment.md writes it for a pool that withSql is not given.
    const pool = newPool();
    pool.on('error', (error) => console.warn(`The pool has lost a connection: ${error.message}`));
    pool.on('connect', (connection) => connection.on('error', () => undefined));
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
    return () => prisma;
  },
  'SQL reads': () => {
    const pool = newPool();
    const prisma = withSqlReads(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool });
    return () => prisma;
  },
  'SQL reads and writes': () => {
    const pool = newPool();
    const prisma = withSql(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool, writes: true });
    return () => prisma;
  },
  'a service with a pool': () => {
    class PrismaService extends PrismaClient {
      constructor() {
        const pool = newPool();
        super({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
        this.pool = pool;
      }
    }
    const service = new PrismaService();
    const sqlClient = withSqlReads(service, { pool: service.pool });
    return () => sqlClient;
  },
  'row-level security': () => {
    const pool = newPool();
    const db = withSql(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool, writes: true });
    return () => withRowLevelSecurity(db, { settings: { 'app.user_id': 1 } });
  },
};

const api = ResourceApiModule.forRoot({
  schema: resourceSchema,
  getClient: CLIENTS[client](),
  access: 'public',
  resources: { AuditEvent: { fields: { type: { name: 'kind' } } } },
  rest: { prefix: 'api/rest', endpoint: 'http://api.test/api/rest' },
  rpc: { prefix: 'api/rpc' },
});
const app = await NestFactory.create(api, platform === 'express' ? new ExpressAdapter() : new FastifyAdapter(), {
  logger: ['warn', 'error'],
});
await app.listen(0, '127.0.0.1');
process.send?.({ url: await app.getUrl() });
process.on('disconnect', () => process.exit());
