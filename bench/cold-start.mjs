/**
 * Measures what this package adds to the start of an application: the time to import it and the time to boot with it, both as ratios to
 * NestJS on Express without it. Each figure is the median of many processes; the two kinds take turns. It measures the package in `dist`:
 * `npm run bench:cold-start` builds what is published first.
 *
 * npm run bench:cold-start [-- --processes 31 --models 10]
 */
import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

/** The goal: to import the package takes at most so many times what NestJS takes. */
const MOST_IMPORT = 0.35;

const { processes, models, child } = parseArgs({
  options: { processes: { type: 'string', default: '31' }, models: { type: 'string', default: '10' }, child: { type: 'string' } },
}).values;

if (child === undefined) compare();
else console.log(JSON.stringify(await start(child === 'with')));

function compare() {
  const runs = { without: [], with: [] };
  for (let turn = 0; turn < Number(processes); turn++) {
    for (const [kind, times] of Object.entries(runs)) times.push(measure(kind));
  }
  const bare = medians(runs.without);
  const full = medians(runs.with);
  const imported = full.package / full.nest;
  console.log(`Medians of ${processes} processes, Node.js ${process.versions.node}, ${models} models\n`);
  console.log('| what | ms | ÷ NestJS |\n| --- | --- | --- |');
  const row = (what, ms, ratio) => console.log(`| ${what} | ${ms.toFixed(0)} | ${ratio.toFixed(2)} |`);
  row('import of `@nestjs/core` and `@nestjs/platform-express`', bare.nest, 1);
  row('import of `nestjs-resource-api` after them', full.package, imported);
  row('boot without the package: both imports, `create` and `listen`', bare.whole, 1);
  row('boot with the package', full.whole, full.whole / bare.whole);
  if (imported > MOST_IMPORT) process.exitCode = 1;
}

/** Starts one process. @returns its times in ms */
function measure(kind) {
  const output = execFileSync(process.execPath, [import.meta.filename, '--child', kind, '--models', models], { encoding: 'utf8' });
  return JSON.parse(output);
}

function medians(runs) {
  const names = Object.keys(runs[0]);
  return Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run[name]))]));
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

/** Starts an application in this process. @returns ms to import NestJS and the package, and until it listens */
async function start(hasPackage) {
  const began = performance.now();
  await import('reflect-metadata');
  const { NestFactory } = await import('@nestjs/core');
  await import('@nestjs/platform-express');
  const nest = performance.now();
  const api = hasPackage ? await import('../dist/index.js') : undefined;
  const imported = performance.now();
  const imports = api === undefined ? [] : [moduleOf(api)];
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- A module needs a class, and this one has no hooks.
  class AppModule {}
  const app = await NestFactory.create({ module: AppModule, imports }, { logger: false });
  await app.listen(0, '127.0.0.1');
  const whole = performance.now() - began;
  await app.close();
  return { nest: nest - began, package: imported - nest, whole };
}

function moduleOf({ ResourceApiModule }) {
  const fields = {
    id: { kind: 'scalar', type: 'Int' },
    title: { kind: 'scalar', type: 'String' },
    createdAt: { kind: 'scalar', type: 'DateTime' },
  };
  const model = { fields, primaryKey: { name: 'id', fields: ['id'] }, uniqueKeys: [] };
  const names = Array.from({ length: Number(models) }, (_, index) => `Model${index}`);
  const schema = { version: 2, provider: 'postgresql', enums: {}, models: Object.fromEntries(names.map((name) => [name, model])) };
  const client = Object.fromEntries(names.map((name) => [name.replace('M', 'm'), {}]));
  const rest = { prefix: 'rest', endpoint: 'http://localhost/rest' };
  return ResourceApiModule.forRoot({ schema, getClient: () => client, rest, rpc: { prefix: 'rpc' } });
}
