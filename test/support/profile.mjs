const PROFILES = ['quick', 'ci', 'full'];

/** How much of the tests a run has. test/README.md describes each value. */
export const PROFILE = readProfile(process.env);

/** @param {NodeJS.ProcessEnv} environment without `TEST_PROFILE`, a variable that names a database decides */
function readProfile({ TEST_PROFILE, TEST_DATABASE, TEST_DATABASE_URL }) {
  const profile = TEST_PROFILE ?? ((TEST_DATABASE ?? TEST_DATABASE_URL) === undefined ? 'quick' : 'ci');
  if (!PROFILES.includes(profile)) throw new Error(`TEST_PROFILE must be quick, ci or full, and is ${profile}.`);
  return profile;
}
