/*
 * Serves the documents of a schema with everything exposed, and measures what the requests of the parent process cost. The arguments are the
 * module of the schema and the platform. Run with --expose-gc.
 */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ResourceApiModule } from '../../dist/index.js';

const [file, platform] = process.argv.slice(2);
const { resourceSchema } = await import(pathToFileURL(file).href);
const api = ResourceApiModule.forRoot({
  schema: resourceSchema,
  getClient: () => ({}),
  rest: { prefix: 'api/rest', endpoint: 'http://localhost/api/rest' },
  rpc: { prefix: 'api/rpc' },
});
const app = await NestFactory.create(api, ...(platform === 'fastify' ? [new FastifyAdapter()] : []), { logger: ['error', 'warn'] });
await ResourceApiModule.setupDocs(app, { path: 'docs' });
await app.listen(0);
process.send({ port: app.getHttpServer().address().port });
process.on('message', async (message) => {
  if (message === 'heap') process.send(await heap());
  else if (message === 'start') start();
  else process.send(stop());
});

async function heap() {
  for (let pass = 0; pass < 5; pass++) {
    await setTimeout(20);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

let [begin, last, longest, timer] = [0, 0, 0];

/** Milliseconds of processor time, so that other processes do not matter. */
function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function tick() {
  const now = cpu();
  longest = Math.max(longest, now - last);
  last = now;
}

function start() {
  [begin, last, longest] = [cpu(), cpu(), 0];
  timer = setInterval(tick, 1);
}

/** Processor time since the start, and most of it between two runs of a timer. */
function stop() {
  clearInterval(timer);
  tick();
  return { cpu: cpu() - begin, tick: longest };
}
