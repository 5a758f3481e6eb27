import { PROFILE } from './profile.mjs';
import { runWhere } from './run-where.js';

// `npm run test:long` runs each test file that imports this one, `describe-where.ts` or `sample.ts`, directly or over others.

/** Whether the long suites run too: the profile `full`. */
export const IS_LONG = PROFILE === 'full';

/** `it` and `describe` of tests that take minutes: they run in the profile `full`. */
export const long = runWhere(IS_LONG, 'npm run test:long');
