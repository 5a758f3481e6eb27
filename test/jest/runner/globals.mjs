import { jestExpect } from '@jest/expect';
import fc from 'fast-check';
import * as circus from 'jest-circus';
import { ModuleMocker } from 'jest-mock';
import { borrowPglite, startPglite } from '../../support/pglite-pool.mjs';
import { platformTurns } from '../../support/platform-turns.mjs';
import { judgeBySchema, judgeOfDocument } from '../../support/schema-judges.mjs';

// What `@jest/globals` means in a test file (typescript-hooks.mjs).

export const { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } = circus;

export const expect = jestExpect;

// The same inputs in each run, so that a failure comes from the change. RANDOM_SEED draws others.
fc.configureGlobal({ seed: Number(process.env.RANDOM_SEED ?? 1) });

const mocker = new ModuleMocker(globalThis);

/** The part of `jest` that the tests use. */
export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
};

Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test });

/** The helpers of the tests that are JavaScript. */
Object.assign(globalThis, { borrowPglite, judgeBySchema, judgeOfDocument, startPglite, takeTurns: (names) => platformTurns.take(names) });
