import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { ResourceApiModule, withSqlReads } from '../../../../dist/index.js';
import { PrismaClient } from '../../../support/generated/prisma-client.mjs';

/** The built package on a real database, in a process of its own that says what a request took of it. `measured-server.ts` starts it. */

async function start({ schema, platform, connectionString, isSql }) {
  const plain = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  const prisma = isSql ? withSqlReads(plain, { pool: new pg.Pool({ connectionString }) }) : plain;
  const module = ResourceApiModule.forRoot({
    schema,
    getClient: () => prisma,
    rest: { prefix: 'api/rest', endpoint: 'http://api.test/api/rest' },
    rpc: { prefix: 'api/rpc' },
  });
  const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter();
  const app = await NestFactory.create(module, adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  let stopWatching = watch();
  process.on('message', ({ begin }) => {
    const taken = stopWatching();
    if (begin) stopWatching = watch();
    process.send(taken);
  });
  process.on('disconnect', () => process.exit());
  process.send({ port: app.getHttpServer().address().port });
}

/** Watches the memory, and the longest time of the processor in which the event loop did not turn. */
function watch() {
  globalThis.gc();
  const atRest = memory();
  let most = atRest;
  let longest = 0;
  const look = () => (most = Math.max(most, memory()));
  const looking = setInterval(look, 20);
  let last = process.cpuUsage();
  let turning = setImmediate(turn);
  function turn() {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.cpuUsage();
    turning = setImmediate(turn);
  }
  return () => {
    clearInterval(looking);
    clearImmediate(turning);
    look();
    globalThis.gc();
    return { growth: most - atRest, kept: memory() - atRest, longest };
  };
}

/** The heap, and the bytes beside it. */
function memory() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

process.once('message', start);
