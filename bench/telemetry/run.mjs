/*
 * What spans and metrics cost: the processor time of a request in a process without `@opentelemetry/api`, with the API alone, and with an SDK that
 * samples nothing or everything. The data client returns constant rows, so that the shares are larger than with a database.
 *
 * npm run build:esm && node bench/telemetry/run.mjs [rounds]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';

const MODES = ['absent', 'api', 'unsampled', 'sampled'];
const PATHS = ['/api/rest/post/1', '/api/rest/post?page[limit]=20', '/api/rpc/post/findMany'];
const ROUNDS = Number(process.argv[2] ?? 400);

const processes = MODES.map((mode) => fork(new URL('serve.mjs', import.meta.url), [mode]));
await Promise.all(processes.map((child) => once(child, 'message')));
const costOf = async (child, path, count) => {
  child.send({ path, count });
  const [cost] = await once(child, 'message');
  return cost;
};

console.log(`| request | ${MODES.join(' | ')} |\n| --- | ${MODES.map(() => '---').join(' | ')} |`);
for (const path of PATHS) {
  for (const child of processes) await costOf(child, path, 3000);
  const costs = MODES.map(() => []);
  // Each round measures all processes, one after the other, under the same load of the machine.
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, child] of processes.entries()) costs[index].push(await costOf(child, path, 10));
  // Batches are short, and the lower decile counts, so that other processes of the machine disturb the ratios little.
  const [absent, ...others] = costs.map((own) => own.toSorted((one, other) => one - other)[Math.floor(own.length / 10)]);
  console.log(`| \`${path}\` | ${absent.toFixed(0)} µs | ${others.map((cost) => (cost / absent).toFixed(2)).join(' | ')} |`);
}
for (const child of processes) child.kill();
