import base from './package.config.mjs';

/** The projects that the Nest CLI makes, on each Node; it needs the npm registry. */
export default {
  ...base,
  roots: ['<rootDir>/test/package/matrix'],
  testPathIgnorePatterns: [],
  globalSetup: '<rootDir>/test/package/matrix/set-up.mjs',
};
