import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ResourceApiModule } from '../../../../dist/index.js';

/** The built package in a process of its own, in which little else takes memory: no test runner, no database. `small-server.ts` starts it. */

let calls = 0;

/** A data client that counts what it is asked, and finds nothing. */
const client = new Proxy({}, { get: () => new Proxy({}, { get: () => () => Promise.resolve((calls++, [])) }) });

async function start({ schema, platform }) {
  const module = ResourceApiModule.forRoot({
    schema,
    getClient: () => client,
    rest: { prefix: 'api/rest', endpoint: 'http://api.test/api/rest' },
    rpc: { prefix: 'api/rpc' },
  });
  const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter();
  const app = await NestFactory.create(module, adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  process.on('message', () => process.send({ calls, kilobytes: process.resourceUsage().maxRSS }));
  process.on('disconnect', () => process.exit());
  process.send({ port: app.getHttpServer().address().port });
}

process.once('message', start);
