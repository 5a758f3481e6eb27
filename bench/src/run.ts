import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as api from 'nestjs-resource-api';
import { readBaseline, slowerOf, writeBaseline } from './baseline.js';
import { type Contender, CONTENDERS, GROUPS, nameOf, rivalOf, takes } from './contenders.js';
import { openDatabase } from './database.js';
import { writeDocsPage } from './docs-page.js';
import { measure, type Pace } from './measure.js';
import { type Running, startContender } from './process.js';
import { type Results, toMarkdown, summarize } from './report.js';
import { requireSameData } from './same-data.js';
import { type Work, WORKS } from './works.js';

const FULL: Pace = { rounds: 5, seconds: 2, warmUp: 4 };
const SHORT: Pace = { rounds: 5, seconds: 0.5, warmUp: 2.5 };

const { values: flags } = parseArgs({
  options: {
    'short': { type: 'boolean', default: false },
    'works': { type: 'string', default: '' },
    'contenders': { type: 'string', default: '' },
    'rounds': { type: 'string' },
    'seconds': { type: 'string' },
    'warm-up': { type: 'string' },
    'json': { type: 'string' },
    'update-baseline': { type: 'boolean', default: false },
    'update-docs': { type: 'boolean', default: false },
  },
});

const usual = flags.short ? SHORT : FULL;
const pace: Pace = {
  // A baseline is held against for long.
  rounds: Number(flags.rounds ?? usual.rounds * (flags['update-baseline'] ? 3 : 1)),
  seconds: Number(flags.seconds ?? usual.seconds),
  warmUp: Number(flags['warm-up'] ?? usual.warmUp),
};
const works = WORKS.filter(({ name, short }) => (!flags.short || short) && new RegExp(flags.works, 'i').test(name));
const chosen = CONTENDERS.filter(isChosen);
const groups = GROUPS.map((clients) => chosen.filter(({ client }) => clients.includes(client))).filter(({ length }) => length > 0);
const baseline = flags.short && !flags['update-baseline'] ? readBaseline() : {};

const database = await openDatabase();
const results: Results = {};
const slow: string[] = [];
try {
  for (const group of groups) await runGroup(group);
} finally {
  await database.drop();
}
report();
if (flags['update-baseline']) writeBaseline(results);
if (flags['update-docs']) writeDocsPage(results, groups);
if (slow.length > 0) throw new Error(`Worse than bench/baseline.json by more than 1.3, twice:\n${slow.join('\n')}`);

function isChosen(contender: Contender): boolean {
  if (contender.client.endsWith('sql') && !('withSqlReads' in api)) return false;
  if (flags.short)
    return contender.app === 'hand-written' || contender.app === 'ours'
      ? contender.client === 'prisma' || contender.client === 'sql'
      : false;
  const wanted = new RegExp(flags.contenders, 'i');
  return wanted.test(nameOf(contender)) || CONTENDERS.some((one) => wanted.test(nameOf(one)) && rivalOf(one) === contender);
}

/** Starts the contenders, and ends them when all works are measured. */
async function runGroup(contenders: readonly Contender[]): Promise<void> {
  const running: Running[] = [];
  try {
    for (const contender of contenders) running.push(await startContender(contender, database.url));
    for (const work of works) Object.assign((results[work.name] ??= {}), await runWork(work, running));
  } finally {
    for (const one of running) one.stop();
  }
}

/** A row that looks too slow is measured once more: another process may have had the machine. */
async function runWork(work: Work, running: readonly Running[]): Promise<Results[string]> {
  const row = await measureWork(work, running, pace);
  const known = baseline[work.name];
  if (slowerOf(known, row).length === 0) return row;
  const again = await measureWork(work, running, { ...pace, rounds: 2 * pace.rounds });
  slow.push(...slowerOf(known, again).map((text) => `${work.name}, ${text}`));
  return again;
}

async function measureWork(work: Work, running: readonly Running[], longer: Pace): Promise<Results[string]> {
  const taking = running.filter(({ contender }) => takes(contender, work));
  if (taking.length === 0) return {};
  const real = taking.filter(({ contender }) => contender.client !== 'canned');
  await requireSameData(work, real);
  const undo = 'DELETE FROM "Post" WHERE id > 20000';
  const between = work.method === 'POST' ? { between: () => database.run(undo) } : {};
  const figures = await measure(work, taking, { ...longer, ...between });
  if (work.method !== undefined) await database.run('VACUUM "Post"');
  console.error(`measured: ${work.name}, ${taking.length} contenders`);
  return summarize(figures);
}

function report(): void {
  console.log(toMarkdown(results, groups));
  const json = JSON.stringify(results, (_key, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value), 2);
  if (flags.json === undefined) console.log(json);
  else writeFileSync(flags.json, json);
}
