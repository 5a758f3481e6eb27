import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { determineHitLimitReached, DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { getState, resetState, run } from 'jest-circus';
import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import base from '../../jest.config.mjs';
import { handleEvents } from '../jest/runner/event-handlers.mjs';
import { expect, jest } from '../jest/runner/globals.mjs';
import { CoverageOfTests } from './coverage-of-tests.mjs';
import { History } from './history.mjs';
import { testFilesOf } from './rooms.mjs';
import { fileOf, groupByFile, resultsOf, testsById, testsOf } from './test-ids.mjs';

/** A process with more memory than this is replaced: each run imports its test files again, and Node never unloads a module. */
const MUCH_MEMORY = 1.5 * 2 ** 30;

/** The timeout of tests and hooks in milliseconds. Stryker has one for each mutant, and a slow machine must not count as a killed mutant. */
const LONG = 300_000;

/** The state that Stryker's instrumented code reads and writes. */
const instrumenter = (globalThis.__stryker__ ??= {});

/**
 * Runs test files for Stryker as `test/jest/runner` does for Jest: in one process, in which each module of `lib` is loaded once. Stryker activates mutants at run time,
 * so that a mutant costs the time of the tests that reach it. Stryker's own runner for Jest needs Jest's environments, in which each file loads NestJS and Prisma again.
 */
class CircusRunner {
  #coverage = new CoverageOfTests(instrumenter);
  #history = new History();
  #imports = 0;
  #mutants = 0;
  /** Whether a mutant may have left wrong values in the caches of the loaded modules. */
  #isStale = false;

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    const moduleNameMapper = Object.entries(base.moduleNameMapper).map(([name, path]) => [name, path.replace('<rootDir>', process.cwd())]);
    register('../jest/runner/typescript-hooks.mjs', import.meta.url, { data: { moduleNameMapper } });
    handleEvents([this.#coverage.handleEvent, stopAtFailure]);
    // The first failure kills the mutant. A smaller counterexample would only take time.
    fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
  }

  async dryRun() {
    const tests = [];
    for (const file of await testFilesOf(process.env.MUTATION_ROOM)) {
      // The first import loads the modules of `lib`. Mutants that only this import reaches are static.
      await this.#importTests(file);
      tests.push(...(await this.#runFile(file, undefined)));
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: this.#coverage.summarize() };
  }

  async mutantRun({ activeMutant: { id, fileName }, testFilter = [], hitLimit: hundredfold }) {
    // After an error Stryker replaces this process, and runs the mutant again.
    if (this.#isStale || process.memoryUsage.rss() > MUCH_MEMORY) throw new Error('This process needs to be replaced.');
    this.#mutants++;
    const hitLimit = limitHits(hundredfold);
    Object.assign(instrumenter, { activeMutant: id, hitCount: hitLimit && 0, hitLimit });
    const result = await this.#findKiller(this.#history.sort(fileName, groupByFile(testFilter)), fileName);
    const timeout = determineHitLimitReached(instrumenter.hitCount, hitLimit);
    Object.assign(instrumenter, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    if (timeout) this.#isStale = true;
    else if (result.killedBy) await this.#checkKiller(result.killedBy[0], testFilter);
    return timeout ?? result;
  }

  async #findKiller(files, mutated) {
    let nrOfTests = 0;
    for (const [file, ids] of files) {
      const start = performance.now();
      const results = await this.#runFile(file, ids);
      const failed = results.find(({ status }) => status === TestStatus.Failed);
      nrOfTests += results.length;
      this.#history.add({ mutated, file, duration: performance.now() - start, isKiller: failed !== undefined });
      if (failed) return { status: MutantRunStatus.Killed, killedBy: [failed.id], failureMessage: failed.failureMessage, nrOfTests };
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }

  /**
   * Runs the test that killed a mutant without the mutant: alone, and if it fails, after the tests that ran before it. If it fails again, this mutant or one before it has
   * left wrong values in a cache. Then the mutant runs again in a new process, whose first mutant it is.
   */
  async #checkKiller(id, testFilter) {
    const file = fileOf(id);
    if (await this.#passes(file, new Set([id]))) return;
    if (await this.#passes(file, groupByFile(testFilter).get(file))) return;
    if (this.#mutants > 1) throw new Error('The test fails without the mutant.');
    this.#isStale = true;
  }

  async #passes(file, ids) {
    const results = await this.#runFile(file, ids);
    return results.every(({ status }) => status !== TestStatus.Failed);
  }

  /** @param {Set<string> | undefined} ids of the tests that run. Without it all run, and their coverage is collected. */
  async #runFile(file, ids) {
    const start = performance.now();
    const { env } = process;
    process.env = { ...env };
    try {
      if (ids === undefined) this.#coverage.beginFile(file);
      await this.#importTests(file);
      const state = getState();
      state.testTimeout = LONG;
      const tests = testsById(state.rootDescribeBlock, file);
      if (ids === undefined) this.#coverage.beginTests(tests);
      else skipOthers(tests, ids);
      const { unhandledErrors } = await run();
      return resultsOf(tests, { file, unhandledErrors, duration: performance.now() - start });
    } finally {
      this.#coverage.end();
      jest.restoreAllMocks();
      process.env = env;
    }
  }

  async #importTests(file) {
    resetState();
    const path = resolve(file);
    expect.setState({ testPath: path });
    await import(`${pathToFileURL(path).href}?import=${String(this.#imports++)}`);
  }
}

function skipOthers(tests, ids) {
  for (const [id, test] of tests) if (!ids.has(id)) test.mode = 'skip';
}

/** Stryker's limit is a hundred times the hits of the unchanged code, which an endless loop takes a minute to reach. */
function limitHits(hundredfold) {
  return hundredfold && Math.max(hundredfold / 20, 10_000);
}

/** @type {import('jest-circus').Circus.EventHandler} */
function stopAtFailure({ name, test }, { rootDescribeBlock }) {
  if (name !== 'test_done' || test.errors.length === 0) return;
  for (const other of testsOf(rootDescribeBlock)) other.mode = 'skip';
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'circus', CircusRunner)];
