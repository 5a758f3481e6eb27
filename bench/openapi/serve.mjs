/*
 * Measures the documents of a schema with everything exposed, in a process with nothing else, and sends the results to the parent process.
 * The arguments are the module of the schema and the platform. Run with --expose-gc.
 */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { request } from 'node:http';
import { performance } from 'node:perf_hooks';
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
const { port } = app.getHttpServer().address();

const before = await heap();
const results = {};
for (const [name, path, headers] of [
  ['first /docs-json', '/docs-json'],
  ['further /docs-json', '/docs-json'],
  ['gzip of /docs-json', '/docs-json', { 'accept-encoding': 'gzip' }],
  ['/docs/swagger-ui-init.js', '/docs/swagger-ui-init.js'],
  ['first document of the page', '/docs-json?swagger-ui', { 'accept-encoding': 'gzip' }],
  ['further documents of the page', '/docs-json?swagger-ui', { 'accept-encoding': 'gzip' }],
]) {
  results[name] = await cost(path, headers);
}
process.send({ heap: before, grown: (await heap()) - before, results });
await app.close();

async function heap() {
  for (let pass = 0; pass < 5; pass++) {
    await setTimeout(20);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

/** Processor time of a request in ms, the longest time that a timer was late meanwhile, and the size of the body. */
async function cost(path, headers = {}) {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const start = process.cpuUsage();
  const { status, size } = await get(path, headers);
  const { user, system } = process.cpuUsage(start);
  clearInterval(timer);
  return { status, size, cpu: (user + system) / 1000, tick: Math.max(longest, performance.now() - last) };
}

function get(path, headers) {
  return new Promise((resolve, reject) => {
    request({ port, path, headers }, (response) => {
      let size = 0;
      response.on('data', (chunk) => (size += chunk.length)).on('end', () => resolve({ status: response.statusCode, size }));
    })
      .on('error', reject)
      .end();
  });
}
