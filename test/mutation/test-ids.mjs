import { TestStatus } from '@stryker-mutator/api/test-runner';
import { resolve } from 'node:path';

/** @typedef {import('jest-circus').Circus.TestEntry} Test */

const SEPARATOR = ' › ';

/** @returns {Generator<Test>} */
export function* testsOf(block) {
  for (const child of block.children) {
    if (child.type === 'test') yield child;
    else yield* testsOf(child);
  }
}

/** @returns {Map<string, Test>} the tests of a file by their ids, which are the same in each process */
export function testsById(root, file) {
  const tests = new Map();
  for (const test of testsOf(root)) {
    let id = [file, ...namesOf(test, root)].join(SEPARATOR);
    while (tests.has(id)) id += '+';
    tests.set(id, test);
  }
  return tests;
}

export function fileOf(id) {
  return id.slice(0, id.indexOf(SEPARATOR));
}

/** @returns {Map<string, Set<string>>} */
export function groupByFile(ids) {
  const files = new Map();
  for (const id of ids) files.set(fileOf(id), (files.get(fileOf(id)) ?? new Set()).add(id));
  return files;
}

/** Stryker's results of the tests that ran. */
export function resultsOf(tests, { file, unhandledErrors, duration }) {
  const results = [...tests].filter(([, { status }]) => status === 'done').map(([id, test]) => resultOf(id, test, file));
  const [first] = results;
  if (first === undefined) return results;
  // Stryker's timeouts are multiples of these times, and imports and hooks take time as well.
  first.timeSpentMs += Math.max(duration - results.reduce((sum, { timeSpentMs }) => sum + timeSpentMs, 0), 0);
  if (unhandledErrors.length > 0) Object.assign(first, { status: TestStatus.Failed, failureMessage: String(unhandledErrors[0]) });
  return results;
}

function resultOf(id, { errors, duration }, file) {
  const result = { id, name: id, fileName: resolve(file), timeSpentMs: duration ?? 0, status: TestStatus.Success };
  return errors.length === 0 ? result : { ...result, status: TestStatus.Failed, failureMessage: messageOf(errors[0]) };
}

function namesOf(test, root) {
  const names = [test.name];
  for (let block = test.parent; block !== root; block = block.parent) names.unshift(block.name);
  return names;
}

/** @param {unknown} error as Circus has it: alone, or with the place of the test */
function messageOf(error) {
  const [thrown, place] = Array.isArray(error) ? error : [error];
  return String((thrown ?? place)?.stack ?? thrown);
}
