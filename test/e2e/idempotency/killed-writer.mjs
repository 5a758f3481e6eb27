// An application of killed-writes.test.ts: it runs in a separate process, from the built package, and kills itself at a point of a write.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { existsSync, readFileSync } from 'node:fs';
import { ResourceApiModule } from 'nestjs-resource-api';

const { bundle, connectionString, folder, point, after } = JSON.parse(process.argv[2] ?? '{}');
const { PrismaClient, resourceSchema } = await import(bundle);

let left = after;

/** @param {string} reached */
function pass(reached) {
  if (reached === point && --left === 0) process.kill(process.pid, 'SIGKILL');
}

/** The points of a write, by the executed statement. */
const DONE = [
  ['claimed', /^INSERT INTO "\w+"\."IdempotencyKey"/],
  ['written', /^INSERT INTO "\w+"\."AuditEvent"/],
  ['kept', /^UPDATE "\w+"\."IdempotencyKey"/],
];

/** The same object, whose methods are these. */
function withMethods(target, methods) {
  return new Proxy(target, {
    get: (_, name) => {
      const member = methods[name] ?? Reflect.get(target, name);
      return typeof member === 'function' && !methods[name] ? member.bind(target) : member;
    },
  });
}

function killingTransaction(transaction) {
  const asked = (method) => async (query) => {
    const result = await transaction[method](query);
    const done = DONE.find(([, pattern]) => pattern.test(query.sql.trim()));
    if (done) pass(done[0]);
    return result;
  };
  const commit = async () => {
    // Sent, and not yet confirmed.
    const committed = transaction.commit();
    pass('committing');
    await committed;
    pass('committed');
  };
  return withMethods(transaction, { queryRaw: asked('queryRaw'), executeRaw: asked('executeRaw'), commit });
}

function killing(factory) {
  const connect = async () => {
    const adapter = await factory.connect();
    const startTransaction = async (...given) => {
      const transaction = killingTransaction(await adapter.startTransaction(...given));
      pass('begun');
      return transaction;
    };
    return withMethods(adapter, { startTransaction });
  };
  return withMethods(factory, { connect });
}

async function openAdapter() {
  if (connectionString !== undefined) {
    const { PrismaPg } = await import('@prisma/adapter-pg');
    return new PrismaPg({ connectionString });
  }
  const { PGlite } = await import('@electric-sql/pglite');
  const { PrismaPGlite } = await import('pglite-prisma-adapter');
  const isNew = !existsSync(folder);
  const pglite = await PGlite.create(folder);
  if (isNew) await pglite.exec(readFileSync(new URL('../../support/prisma/database.sql', import.meta.url), 'utf8'));
  return new PrismaPGlite(pglite);
}

const prisma = new PrismaClient({ adapter: killing(await openAdapter()), transactionOptions: { maxWait: 60_000, timeout: 60_000 } });
const api = ResourceApiModule.forRoot({
  schema: resourceSchema,
  getClient: () => prisma,
  access: 'public',
  resources: { '*': 'hidden', 'AuditEvent': { actions: ['read', 'create'], fields: { type: { name: 'kind' } } } },
  idempotency: { caller: () => 'ada', waitMs: 30_000 },
  limits: { maxDuration: 60_000 },
  rest: { prefix: 'api/rest', endpoint: 'http://api.test/api/rest' },
  rpc: { prefix: 'api/rpc' },
});
const app = await NestFactory.create(api, { logger: ['error'] });
app.use((_request, response, next) => {
  response.on('finish', () => pass('answered'));
  next();
});
await app.listen(0, '127.0.0.1');
process.send?.({ url: await app.getUrl() });
process.on('disconnect', () => process.exit());
