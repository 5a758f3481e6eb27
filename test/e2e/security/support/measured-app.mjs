import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { ResourceApiModule, withSqlReads } from '../../../../dist/index.js';
import { PrismaClient } from '../../../support/generated/prisma-client.mjs';

/** Starts the built package on a real database, and reports memory and ticks. `measured-server.ts` starts this process. */

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

/** Measures the memory, and the processor time of the longest tick of the event loop. */
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

/** Returns the heap and the external memory. */
function memory() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

process.once('message', start);
