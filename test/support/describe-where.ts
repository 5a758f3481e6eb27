import { runWhere } from './run-where.js';

// `npm run test:long` runs each test file that imports this one, directly or over others.

/** `describe` where the machine has what the suite needs beyond `npm install`; else the tests are skipped, with the missing program in their name. */
export function describeWhere(isThere: boolean, lacking: string, name: string, tests: () => void): void {
  runWhere(isThere, lacking).describe(name, tests);
}
