import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ResourceApiModule } from '../../../../dist/index.js';

/** The built package in a process without a test runner and a database, which would need memory. `small-server.ts` starts it. */

let calls = 0;

/** A data client that counts its calls, and returns no rows. */
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
