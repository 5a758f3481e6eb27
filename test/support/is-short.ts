/**
 * Whether this is `npm test`, which everyone waits for: suites that ask the same of several ways take a part of the product there. The long suites, and
 * runs on another database than the embedded one, take all of it, unless `TEST_EXTENT=short` asks for that part.
 */
export const IS_SHORT =
  process.env['TEST_EXTENT'] === 'short' ||
  ['LONG_TESTS', 'TEST_DATABASE', 'TEST_DATABASE_URL'].every((name) => process.env[name] === undefined);
