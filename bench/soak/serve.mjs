/*
 * The application under load: the built package with the tests' schema, exports, atomic operations and idempotency keys, on a pool of ten
 * connections. Its parent process requests samples while no request is running.
 */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { ResourceApiModule, withSql } from '../../dist/index.js';

const { bundle, connectionString, engine } = JSON.parse(process.argv[2] ?? '{}');
const { PrismaClient, resourceSchema } = await import(bundle);

const pool = new pg.Pool({ connectionString, max: 10, statement_timeout: 5000 });
pool.on('error', (error) => console.error(error.message));
const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
const client = engine === 'sql' ? withSql(prisma, { pool, writes: true }) : prisma;

const app = await NestFactory.create(
  ResourceApiModule.forRoot({
    schema: resourceSchema,
    getClient: () => client,
    access: 'public',
    resources: { AuditEvent: { fields: { type: { name: 'kind' } } } },
    idempotency: { caller: () => 'soak' },
    rest: { prefix: 'rest', endpoint: 'http://localhost/rest', export: true, operations: true },
    rpc: { prefix: 'rpc' },
  }),
  new FastifyAdapter(),
  { logger: ['error'] },
);
await app.listen(0, '127.0.0.1');
// No connection is idle for as long between two samples, so that the server closes none that the client is about to use.
app.getHttpServer().keepAliveTimeout = 65_000;

/** The prepared statements of all connections of the pool; each session sees its own. */
async function countPrepared() {
  const connections = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const counts = await Promise.all(
    connections.map((connection) => connection.query('SELECT count(*)::int AS count FROM pg_prepared_statements')),
  );
  for (const connection of connections) connection.release();
  return counts.reduce((sum, { rows }) => sum + rows[0].count, 0);
}

process.on('message', async () => {
  const prepared = await countPrepared();
  // What finalizers release is collected by the second one.
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ prepared, rss, heap: heapUsed, external, handles: process.getActiveResourcesInfo().length });
});
process.on('disconnect', () => process.exit());
process.send?.({ port: app.getHttpServer().address().port });
