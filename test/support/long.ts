import { PROFILE } from './profile.mjs';
import { runWhere } from './run-where.js';

// `npm run test:long` runs each test file that imports this one, or `sample.ts`, directly or over others.

/** Whether the long suites run too: the profile `full`. */
export const IS_LONG = PROFILE === 'full';

/** `it` and `describe` of tests that take minutes: they run in the profile `full`. */
export const long = runWhere(IS_LONG, 'npm run test:long');

/** `describe` where the machine has what the suite needs beyond `npm install`; else the tests are skipped, and their name says what it lacks. */
export function describeWhere(isThere: boolean, lacking: string, name: string, tests: () => void): void {
  runWhere(isThere, lacking).describe(name, tests);
}

/** Runs of a random test: the same ones every time, so that a failure is of the change; `RANDOM_SEED=42` makes others. */
export function seededRuns(numRuns: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns, seed: Number(process.env['RANDOM_SEED'] ?? 1) };
}
