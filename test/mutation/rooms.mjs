import { readdir } from 'node:fs/promises';

/** The rooms whose tests are checked with mutants, and the folders and files of `test` that run for each. */
export const ROOMS = {
  'wire': ['unit/wire', 'unit/rpc', 'unit/rest/render'],
  'rest/parse': [
    'unit/rest',
    'e2e/rest/atomic-operations.test.ts',
    'e2e/rest/failing-operations.test.ts',
    'e2e/rest/operations-documents.test.ts',
    'e2e/rest/operations-local-ids.test.ts',
    'e2e/rest/operations-targets.test.ts',
    'e2e/rest/operations-versions.test.ts',
    'e2e/rest/exporting.test.ts',
  ],
  'rpc/arguments': ['unit/rpc'],
  'model/exposure': ['unit/model', 'unit/module'],
  'rules': [
    'unit/rules',
    'e2e/rules/bounded-writes.test.ts',
    'e2e/rules/clients.test.ts',
    'e2e/rules/null-keys.test.ts',
    'e2e/rules/reads.test.ts',
    'e2e/rules/reasons.test.ts',
    'e2e/rules/references.test.ts',
    'e2e/rules/refusals.test.ts',
    'e2e/rules/returning-many.test.ts',
    'e2e/rules/rule-semantics.test.ts',
    'e2e/rules/soft-delete.test.ts',
    'e2e/rules/soft-delete-callers.test.ts',
    'e2e/rules/soft-delete-cascades.test.ts',
    'e2e/rules/writes.test.ts',
    'e2e/rules/writes-without-returning.test.ts',
    'e2e/hooks/registering.test.ts',
    'e2e/hooks/events.test.ts',
    'e2e/policy/foreign-keys.test.ts',
  ],
  'run': [
    'unit/run',
    'unit/executor',
    'unit/rest/plan',
    'e2e/own-code/actions.test.ts',
    'e2e/own-code/failing-actions.test.ts',
    'e2e/own-code/server-values.test.ts',
    'e2e/time-limits/max-duration.test.ts',
    'e2e/idempotency/idempotency.test.ts',
    'e2e/idempotency/idempotency-outcomes.test.ts',
    'e2e/faults/broken-client.test.ts',
    'e2e/faults/unanswered-writes.test.ts',
    'e2e/faults/unconfirmed-writes.test.ts',
    'e2e/rest/versions.test.ts',
    'e2e/rest/preconditions.test.ts',
    'e2e/rest/preferring.test.ts',
    'e2e/rest/row-hashes.test.ts',
    'e2e/rest/operations-versions.test.ts',
    'e2e/rules/clients.test.ts',
    'e2e/sql/computed-fields.test.ts',
    'e2e/sql/switching-on.test.ts',
    'e2e/rpc/batched-finds.test.ts',
    'e2e/security/extension-parts.test.ts',
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
