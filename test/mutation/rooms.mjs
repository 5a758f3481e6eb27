import { readdir } from 'node:fs/promises';

/** The rooms whose tests are checked with mutants, and the folders and files of `test` that run for each. */
export const ROOMS = {
  'wire': ['unit/wire', 'unit/rpc', 'unit/rest/render'],
  'rest/parse': ['unit/rest'],
  'rpc/arguments': ['unit/rpc'],
  'model/exposure': ['unit/model', 'unit/module'],
  'rules': ['unit/rules', 'e2e/rules/reads.test.ts', 'e2e/rules/refusals.test.ts'],
  'run': [
    'unit/run',
    'unit/executor',
    'e2e/own-code/server-values.test.ts',
    'e2e/time-limits/max-duration.test.ts',
    'e2e/idempotency/idempotency.test.ts',
    'e2e/rest/versions.test.ts',
  ],
};

/** Paths of the files of these rooms in a checkout. */
export function coveredPaths(rootDir) {
  const root = rootDir.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${root}/lib/(?:${Object.keys(ROOMS).join('|')})/`);
}

/** @returns {Promise<string[]>} */
export async function testFilesOf(room) {
  const files = [];
  for (const path of ROOMS[room]) {
    if (path.endsWith('.ts')) files.push(`test/${path}`);
    else files.push(...(await testFilesIn(`test/${path}`)));
  }
  return files;
}

async function testFilesIn(folder) {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => `${folder}/${name}`);
}
