import { createEmptyTestResult } from '@jest/test-result';
import { getState, resetState, run } from 'jest-circus';
import { formatResultsErrors } from 'jest-message-util';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { coveredPaths } from '../../mutation/rooms.mjs';
import { handleEvents } from './event-handlers.mjs';
import { expect, jest } from './globals.mjs';
import { inTypeScript, withPlaces } from './typescript-positions.mjs';

/** @typedef {{ testPath: string, globalConfig: import('@jest/types').Config.GlobalConfig, config: import('@jest/types').Config.ProjectConfig }} TestFile */

const MUCH_MEMORY = 2 ** 30;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

let isReady = false;
/** Bytes that this process had after the last collection. */
let kept = 0;

/**
 * Runs one test file in this process, which keeps the modules that earlier files have loaded. Jest's own runner creates a realm for each file, which loads and
 * compiles NestJS, Prisma and this package again. That took as long as the tests. So a file must not change its modules; its mocks and environment variables
 * are restored here.
 *
 * @param {TestFile} file
 * @returns {Promise<import('@jest/test-result').TestResult>}
 */
export default async function runFile(file) {
  if (!isReady) prepare(file);
  isReady = true;
  const start = Date.now();
  resetState();
  const state = getState();
  state.testTimeout = file.globalConfig.testTimeout ?? file.config.testTimeout ?? state.testTimeout;
  state.testNamePattern = file.globalConfig.testNamePattern ? new RegExp(file.globalConfig.testNamePattern, 'i') : null;
  const { env } = process;
  process.env = { ...env };
  expect.setState({ testPath: file.testPath });
  try {
    await import(pathToFileURL(file.testPath).href);
    const result = resultOf(await run(), file);
    const end = Date.now();
    return { ...result, perfStats: { ...result.perfStats, start, end, runtime: end - start } };
  } finally {
    jest.restoreAllMocks();
    process.env = env;
    collectMuch();
  }
}

/** Ends the process, with any handles that tests left open. */
export function teardown() {
  process.exit();
}

/** Collects garbage, because V8 does not count the memory of unreachable embedded databases. */
function collectMuch() {
  if (process.memoryUsage.rss() < kept + MUCH_MEMORY) return;
  collectGarbage();
  kept = process.memoryUsage.rss();
}

/** @param {TestFile} file */
function prepare({ globalConfig: { collectCoverage }, config: { rootDir, moduleNameMapper } }) {
  const covered = collectCoverage ? coveredPaths(rootDir) : undefined;
  register('./typescript-hooks.mjs', import.meta.url, { data: { moduleNameMapper, covered } });
  handleEvents();
}

/**
 * @param {import('jest-circus').Circus.RunResult} outcome
 * @param {TestFile} file
 * @returns {import('@jest/test-result').TestResult}
 */
function resultOf({ testResults, unhandledErrors }, { testPath, globalConfig, config }) {
  const results = testResults.map(assertionOf);
  const errors = unhandledErrors.map(inTypeScript);
  const count = (status) => results.filter((result) => result.status === status).length;
  const text = formatResultsErrors(results, config, globalConfig, testPath) ?? '';
  return {
    ...createEmptyTestResult(),
    // Jest adds these counts up. They are those of all files that this process has run, so that only zero means something.
    coverage: globalThis.__coverage__,
    failureMessage: [text, ...errors].join('\n\n') || undefined,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    testExecError: errors.length > 0 ? { message: '', stack: errors.join('\n') } : undefined,
    testFilePath: testPath,
    testResults: results,
  };
}

/**
 * @param {import('jest-circus').Circus.TestResult} test
 * @returns {import('@jest/test-result').AssertionResult}
 */
function assertionOf({ testPath: [, ...names], status, errors, errorsDetailed, duration, invocations, numPassingAsserts, retryReasons }) {
  return {
    ancestorTitles: names.slice(0, -1),
    title: names.at(-1),
    fullName: names.join(' '),
    status: { skip: 'pending', todo: 'todo' }[status] ?? (errors.length > 0 ? 'failed' : 'passed'),
    duration,
    failureDetails: errorsDetailed.map((error) => withPlaces(error)),
    failureMessages: errors.map(inTypeScript),
    invocations,
    numPassingAsserts,
    retryReasons,
  };
}
