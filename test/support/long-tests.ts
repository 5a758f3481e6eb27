// `npm run test:long` runs each test file that imports this one, or `in-full.ts`, directly or over others.

/** Whether the long suites run too (`npm run test:long`). */
export const IS_LONG = process.env['LONG_TESTS'] !== undefined;

/** `it` in the long suites; else skipped: it takes minutes. */
export const itLong = IS_LONG ? it : it.skip;

/** `describe` in the long suites; else its tests are skipped, and their name says how to run them. */
export function describeLong(name: string, tests: () => void): void {
  if (IS_LONG) describe(name, tests);
  else describe.skip(`${name} (skipped: npm run test:long)`, tests);
}

/** `describe` where all is there that the suite needs beyond `npm install`; else its tests are skipped, and their name says what they lack. */
export function describeWhere(isThere: boolean, lacking: string, name: string, tests: () => void): void {
  if (isThere) describe(name, tests);
  else describe.skip(`${name} (skipped: ${lacking})`, tests);
}

/** Runs of a random test: the same ones every time, so that a failure is of the change; `RANDOM_SEED=42` makes others. */
export function seededRuns(numRuns: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns, seed: Number(process.env['RANDOM_SEED'] ?? 1) };
}
