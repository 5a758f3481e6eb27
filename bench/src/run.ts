import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as api from 'nestjs-resource-api';
import { type Contender, CONTENDERS, nameOf, rivalOf, takes } from './contenders.js';
import { openDatabase } from './database.js';
import { measure, type Pace } from './measure.js';
import { type Running, startContender } from './process.js';
import { type Results, toMarkdown, summarize } from './report.js';
import { requireSameData } from './same-data.js';
import { type Work, WORKS } from './works.js';

const FULL: Pace = { rounds: 5, seconds: 2 };
const SHORT: Pace = { rounds: 5, seconds: 0.4 };
/** How much worse than its baseline a ratio may be. */
const SLACK = 1.3;
const BASELINE = new URL('../baseline.json', import.meta.url);

const { values: flags } = parseArgs({
  options: {
    'short': { type: 'boolean', default: false },
    'works': { type: 'string', default: '' },
    'contenders': { type: 'string', default: '' },
    'rounds': { type: 'string' },
    'seconds': { type: 'string' },
    'json': { type: 'string' },
    'update-baseline': { type: 'boolean', default: false },
  },
});

const pace: Pace = {
  rounds: Number(flags.rounds ?? (flags.short ? SHORT : FULL).rounds),
  seconds: Number(flags.seconds ?? (flags.short ? SHORT : FULL).seconds),
};
const works = WORKS.filter(({ name, short }) => (!flags.short || short) && new RegExp(flags.works, 'i').test(name));
const chosen = CONTENDERS.filter(isChosen);

const database = await openDatabase();
const running: Running[] = [];
try {
  for (const contender of chosen) running.push(await startContender(contender, database.url));
  const results: Results = {};
  for (const work of works) results[work.name] = await runWork(work);
  report(results);
  if (flags.short) await holdAgainstBaseline(results);
} finally {
  for (const one of running) one.stop();
  await database.drop();
}

function isChosen(contender: Contender): boolean {
  if (contender.client.endsWith('sql') && !('withSqlReads' in api)) return false;
  if (flags.short)
    return contender.app === 'hand-written' || contender.app === 'ours'
      ? contender.client === 'prisma' || contender.client === 'sql'
      : false;
  const wanted = new RegExp(flags.contenders, 'i');
  return wanted.test(nameOf(contender)) || CONTENDERS.some((one) => wanted.test(nameOf(one)) && rivalOf(one) === contender);
}

async function runWork(work: Work, rounds = pace.rounds): Promise<Results[string]> {
  const taking = running.filter(({ contender }) => takes(contender, work));
  const real = taking.filter(({ contender }) => contender.client !== 'canned');
  await requireSameData(work, real);
  const undo = 'DELETE FROM "Post" WHERE id > 20000';
  const between = work.method === 'POST' ? { between: () => database.run(undo) } : {};
  const figures = await measure(work, taking, { ...pace, rounds, ...between });
  if (work.method !== undefined) await database.run('VACUUM "Post"');
  console.error(`measured: ${work.name}`);
  return summarize(figures);
}

function report(results: Results): void {
  const isOf = (...clients: readonly Contender['client'][]): readonly Contender[] =>
    chosen.filter(({ client }) => clients.includes(client));
  const groups = [isOf('prisma', 'sql', 'own'), isOf('policies', 'policies + sql'), isOf('canned')].filter(({ length }) => length > 0);
  console.log(toMarkdown(results, groups));
  const json = JSON.stringify(results, (_key, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value), 2);
  if (flags.json === undefined) console.log(json);
  else writeFileSync(flags.json, json);
}

type Baseline = Record<string, Record<string, number>>;

/** A row that looks too slow is measured once more: another process may have had the machine. */
async function holdAgainstBaseline(results: Results): Promise<void> {
  if (flags['update-baseline']) {
    writeFileSync(BASELINE, `${JSON.stringify(baselineOf(results), undefined, 2)}\n`);
    return;
  }
  const baseline = JSON.parse(readFileSync(BASELINE, 'utf8')) as Baseline;
  const slow: string[] = [];
  for (const work of works) {
    const known = baseline[work.name] ?? {};
    if (slowerOf(known, results[work.name]).length === 0) continue;
    slow.push(...slowerOf(known, await runWork(work, 2 * pace.rounds)).map((text) => `${work.name}, ${text}`));
  }
  if (slow.length > 0) throw new Error(`Slower than bench/baseline.json by more than ${SLACK}:\n${slow.join('\n')}`);
}

function baselineOf(results: Results): Baseline {
  const ours = (row: Results[string]): Record<string, number> =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, { ratio }]) => (name.startsWith('ours') ? [[name, Number(ratio.toFixed(2))]] : [])),
    );
  return Object.fromEntries(Object.entries(results).map(([work, row]) => [work, ours(row)]));
}

function slowerOf(known: Baseline[string], row: Results[string] = {}): readonly string[] {
  return Object.entries(known).flatMap(([name, ratio]) => {
    const { ratio: now = NaN } = row[name] ?? {};
    return name in row && !(now >= ratio / SLACK) ? [`${name}: ${now.toFixed(2)} of hand-written, was ${ratio}`] : [];
  });
}
