import { ConfigurationProblems } from './configuration-problems.js';

/**
 * Runs all checks, even after some of them have failed.
 *
 * @throws ConfigurationError with the problems of all of them
 */
export function checkAll(checks: readonly (() => unknown)[]): void {
  const problems = new ConfigurationProblems();
  for (const check of checks) problems.collect(check);
  problems.throwAny();
}
