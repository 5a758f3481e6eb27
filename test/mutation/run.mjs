import { Stryker } from '@stryker-mutator/core';
import { parseArgs } from 'node:util';
import { ROOMS } from './rooms.mjs';
import { drawSample } from './sample.mjs';

// npm run test:mutation -- wire
// npm run test:mutation -- rules --lines 600 --seed 2
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { lines: { type: 'string' }, seed: { type: 'string', default: '1' } },
});
const [room, ...files] = positionals;
if (!Object.hasOwn(ROOMS, room)) throw new Error(`The room must be one of ${Object.keys(ROOMS).join(', ')}.`);
process.env.MUTATION_ROOM = room;
process.env.TEST_PROFILE ??= 'quick';

/** Files or lines as Stryker takes them (`lib/wire/decode.ts:10-20`), a random sample, or the whole room. */
async function mutatedFiles() {
  if (files.length > 0) return files;
  if (values.lines !== undefined) return drawSample(room, { lines: Number(values.lines), seed: Number(values.seed) });
  return [`lib/${room}/**/*.ts`];
}

const sample = values.lines === undefined ? '' : `-${values.lines}-lines-seed-${values.seed}`;
const report = `reports/mutation/${room.replace('/', '-')}${sample}`;
await new Stryker({
  mutate: await mutatedFiles(),
  plugins: ['./test/mutation/circus-runner.mjs'],
  testRunner: 'circus',
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `${report}-incremental.json`,
  concurrency: 2,
  // The limit of hits ends endless loops. A slow machine must not count as a killed mutant.
  timeoutMS: 60_000,
  ignorePatterns: ['bench', 'sample', 'dist', 'reports'],
  reporters: ['clear-text', 'json', 'html', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: `${report}.json` },
  htmlReporter: { fileName: `${report}.html` },
  thresholds: { high: 95, low: 85, break: 85 },
}).runMutationTest();
