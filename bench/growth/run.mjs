/*
 * How the work of one request grows with rows, models, includes, filters and tables, as the exponent of the power that fits it (1 is linear), and
 * the memory that a page of 10,000 rows takes. It ends with an error where one is more than it may be.
 *
 * npm run bench:growth [-- --short]
 */
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { tableCurves } from '../dist/table-curves.js';
import { costOf, CURVES, exponentOf } from './curves.mjs';

/** The most memory that a page may take, by the length of its body. */
const MOST_MEMORY = 4;

const { short } = parseArgs({ options: { short: { type: 'boolean', default: false } } }).values;
const wrong = [];

console.log('| what grows | sizes | µs | exponent |\n| --- | --- | --- | --- |');
for (const { work, ...curve } of CURVES) {
  const measure = () => curve.sizes.map((size) => costOf(work(size), short ? 40_000 : 150_000));
  const costs = measure();
  // Another process may have had the machine.
  show({ ...curve, costs: isWrong({ ...curve, costs }) ? measure() : costs });
}
const ofTables = await tableCurves(short);
if (typeof ofTables === 'string') console.error(ofTables);
else ofTables.forEach(show);
for (const [name, { ratio, length }] of Object.entries(await memory())) {
  console.log(
    `\n${name} of 10,000 rows: ${(length / 2 ** 20).toFixed(1)} MiB, and ${ratio.toFixed(1)} times as much memory while it is made.`,
  );
  if (!(ratio <= MOST_MEMORY))
    wrong.push(`A ${name} of 10,000 rows takes ${ratio.toFixed(1)} times its length in memory, more than ${MOST_MEMORY}.`);
}
if (wrong.length > 0) throw new Error(wrong.join('\n'));

function show(curve) {
  const { name, sizes, costs, most } = curve;
  const list = costs.map((cost) => cost.toFixed(cost < 10 ? 1 : 0)).join(' · ');
  const exponent = exponentOf(sizes, costs).toFixed(2);
  console.log(`| ${name} | ${sizes.join(' · ')} | ${list} | ${exponent} |`);
  if (isWrong(curve)) wrong.push(`${name}: the exponent is ${exponent}, and ${most} is too much.`);
}

function isWrong({ sizes, costs, most }) {
  return !(exponentOf(sizes, costs) < most);
}

function memory() {
  const execArgv = ['--expose-gc', '--max-semi-space-size=1'];
  return new Promise((resolve, reject) => {
    fork(new URL('memory.mjs', import.meta.url), { execArgv })
      .once('message', resolve)
      .once('exit', (code) => code !== 0 && reject(new Error(`The process that measures memory ended with ${code}.`)));
  });
}
