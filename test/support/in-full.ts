import { IS_SHORT } from './long-tests.js';
import { describeOnPlatforms, type Platform } from './test-app.js';

/** `describeOnPlatforms` but in `npm test`, as `describeInFull` is `describe`: a module of its own, because a test file that imports `long-tests.ts` is one of the long suites. */
export function describeOnPlatformsInFull(name: string, tests: (platform: Platform) => void): void {
  if (IS_SHORT) describe.skip.each(['express'] as const)(`${name} (%s)`, tests);
  else describeOnPlatforms(name, tests);
}
