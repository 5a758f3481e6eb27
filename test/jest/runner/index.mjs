import { createJestRunner } from 'create-jest-runner';
import { fileURLToPath } from 'node:url';

/** Room for young objects, of which tests make many: V8 begins with a few megabytes, and clears them again and again. Workers have the flags of this process. */
process.execArgv.push('--min-semi-space-size=64', '--max-semi-space-size=64');

/** Runs test files in processes that load each module once. `run-file.mjs` has the reason. */
export default createJestRunner(fileURLToPath(new URL('run-file.mjs', import.meta.url)));
