/*
 * Measures the OpenAPI documents of large schemas: their sizes, what the first and further requests cost, and the memory that they hold.
 *
 * npm run bench:openapi [-- --models 81,302] [--platform fastify] [--old-space 256]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { parseArgs } from 'node:util';
import { createSchema } from './create-schema.mjs';

const { values } = parseArgs({
  options: {
    'models': { type: 'string', default: '81,302' },
    'platform': { type: 'string', default: 'express' },
    'old-space': { type: 'string', default: '256' },
  },
});
const REQUESTS = [
  ['first `/docs-json`', '/docs-json'],
  ['further `/docs-json`', '/docs-json'],
  ['first with gzip', '/docs-json', { 'accept-encoding': 'gzip' }],
  ['further with gzip', '/docs-json', { 'accept-encoding': 'gzip' }],
  ['`/docs/swagger-ui-init.js`', '/docs/swagger-ui-init.js'],
  ['first document of the page', '/docs-json?swagger-ui', { 'accept-encoding': 'gzip' }],
  ['further documents of the page', '/docs-json?swagger-ui', { 'accept-encoding': 'gzip' }],
];
const mb = (bytes) => (bytes / 1e6).toFixed(1);

for (const models of values.models.split(',')) {
  const server = fork(new URL('serve.mjs', import.meta.url), [createSchema(Number(models)).schema, values.platform], {
    execArgv: ['--expose-gc', `--max-old-space-size=${values['old-space']}`],
  });
  server.once('exit', (code) => {
    if (code > 0) throw new Error(`The server ended with ${code}.`);
  });
  const [{ port }] = await once(server, 'message');
  const before = await answerOf(server, 'heap');
  const rows = [];
  for (const [name, path, headers] of REQUESTS) {
    server.send('start');
    const { status, size } = await get(port, path, headers);
    const { cpu, tick } = await answerOf(server, 'stop');
    rows.push(`| ${name} | ${status} | ${mb(size)} | ${cpu.toFixed(0)} | ${tick.toFixed(0)} |`);
  }
  const grown = (await answerOf(server, 'heap')) - before;
  console.log(`\n${models} models: ${mb(before)} MB of heap after start, ${mb(grown)} MB more after these requests\n`);
  console.log('| request | status | MB | ms of processor time | longest tick, in ms of it |\n| --- | --- | --- | --- | --- |');
  console.log(rows.join('\n'));
  server.kill();
}

async function answerOf(server, message) {
  server.send(message);
  const [answer] = await once(server, 'message');
  return answer;
}

function get(port, path, headers = {}) {
  return new Promise((resolve, reject) => {
    request({ port, path, headers }, (response) => {
      let size = 0;
      response.on('data', (chunk) => (size += chunk.length)).on('end', () => resolve({ status: response.statusCode, size }));
    })
      .on('error', reject)
      .end();
  });
}
