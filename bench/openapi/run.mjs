/*
 * Measures the OpenAPI documents of large schemas: their sizes, what the first and further requests cost, and the memory that they hold.
 *
 * npm run bench:openapi [-- --models 81,302] [--platform fastify] [--old-space 256]
 */
import { fork } from 'node:child_process';
import { createSchema } from './create-schema.mjs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    'models': { type: 'string', default: '81,302' },
    'platform': { type: 'string', default: 'express' },
    'old-space': { type: 'string', default: '256' },
  },
});
const mb = (bytes) => (bytes / 1e6).toFixed(1);

for (const models of values.models.split(',')) {
  const { schema } = await createSchema(Number(models));
  const { heap, grown, results } = await measure(schema);
  console.log(`\n${models} models: ${mb(heap)} MB of heap after start, ${mb(grown)} MB more after these requests\n`);
  console.log('| request | status | size in MB | processor time in ms | longest tick in ms |\n| --- | --- | --- | --- | --- |');
  for (const [name, { status, size, cpu, tick }] of Object.entries(results))
    console.log(`| ${name} | ${status} | ${mb(size)} | ${cpu.toFixed(0)} | ${tick.toFixed(0)} |`);
}

function measure(schema) {
  const execArgv = ['--expose-gc', `--max-old-space-size=${values['old-space']}`];
  return new Promise((resolve, reject) => {
    fork(new URL('serve.mjs', import.meta.url), [schema, values.platform], { execArgv })
      .once('message', resolve)
      .once('exit', (code) => code !== 0 && reject(new Error(`The server ended with ${code}.`)));
  });
}
