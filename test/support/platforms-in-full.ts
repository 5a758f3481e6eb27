import { IS_SHORT } from './in-full.js';
import { describeOnPlatforms, type Platform } from './test-app.js';

/** `describeOnPlatforms` but in `npm test`, as `describeInFull` is `describe`: a module of its own, because a test file that imports `in-full.ts` is one of those that `npm run test:long` runs. */
export function describeOnPlatformsInFull(name: string, tests: (platform: Platform) => void): void {
  if (IS_SHORT) describe.skip.each(['express'] as const)(`${name} (%s)`, tests);
  else describeOnPlatforms(name, tests);
}
