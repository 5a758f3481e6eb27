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
const SHORT: Pace = { rounds: 4, seconds: 0.5, warmUp: 1.5 };

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
  // Later runs are compared with a baseline, so it is measured for long.
  rounds: Number(flags.rounds ?? usual.rounds * (flags['update-baseline'] ? 3 : 1)),
  seconds: Number(flags.seconds ?? usual.seconds),
  warmUp: Number(flags['warm-up'] ?? usual.warmUp),
};
const works = WORKS.filter(({ name, short }) => (!flags.short || short) && new RegExp(flags.works, 'i').test(name));
const chosen = CONTENDERS.filter(isChosen);
const groups = GROUPS.map((isIn) => chosen.filter(isIn))
  .filter((group) => group.some(({ app }) => app !== 'hand-written'))
  // What is in a larger group is measured there.
  .filter((group, _, all) => !all.some((larger) => larger.length > group.length && group.every((one) => larger.includes(one))));
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
if (slow.length > 0) throw new Error(`Worse than bench/baseline.json by more than 1.3, each of three times:\n${slow.join('\n')}`);

function isChosen(contender: Contender): boolean {
  if (contender.client.endsWith('sql') && !('withSqlReads' in api)) return false;
  if (flags.short)
    return contender.app === 'hand-written' || contender.app === 'ours'
      ? contender.client === 'prisma' || contender.client === 'sql'
      : false;
  const wanted = new RegExp(flags.contenders, 'i');
  return wanted.test(nameOf(contender)) || CONTENDERS.some((one) => wanted.test(nameOf(one)) && rivalOf(one) === contender);
}

/** A work that looks too slow is measured twice more, in new processes: another one may have had the machine, and V8 does not make the same of the code each time. */
async function runGroup(contenders: readonly Contender[]): Promise<void> {
  let suspects: readonly Work[] = works;
  for (const rounds of [1, 2, 2].map((factor) => factor * pace.rounds)) {
    await measureWorks(suspects, contenders, { ...pace, rounds });
    suspects = suspects.filter(({ name }) => slowerOf(baseline[name], results[name] ?? {}).length > 0);
    if (suspects.length === 0) return;
  }
  for (const { name } of suspects) slow.push(...slowerOf(baseline[name], results[name] ?? {}).map((text) => `${name}, ${text}`));
}

/** Starts the contenders, and ends them when all of it is measured. */
async function measureWorks(works: readonly Work[], contenders: readonly Contender[], longer: Pace): Promise<void> {
  const running: Running[] = [];
  try {
    for (const contender of contenders) running.push(await startContender(contender, database.url));
    for (const work of works) Object.assign((results[work.name] ??= {}), await measureWork(work, running, longer));
  } finally {
    for (const one of running) one.stop();
  }
}

async function measureWork(work: Work, running: readonly Running[], longer: Pace): Promise<Results[string]> {
  const taking = running.filter(({ contender }) => takes(contender, work));
  if (taking.length === 0) return {};
  const real = taking.filter(({ contender }) => contender.client !== 'canned');
  await requireSameData(work, real);
  const undo = 'DELETE FROM "Post" WHERE id > 20000';
  const between = work.method === 'POST' ? { between: () => database.run(undo) } : {};
  const figures = await measure(work, taking, { ...longer, ...between });
  if (work.method !== undefined) {
    // Queries without an order read rows in the order of the table, in which an update moves its row to the end.
    await database.run('CLUSTER "Post" USING "Post_pkey"');
    await database.run('VACUUM ANALYZE "Post"');
  }
  console.error(`measured: ${work.name}, ${taking.length} contenders`);
  return summarize(figures);
}

function report(): void {
  console.log(toMarkdown(results, groups));
  const json = JSON.stringify(results, (_key, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value), 2);
  if (flags.json === undefined) console.log(json);
  else writeFileSync(flags.json, json);
}
