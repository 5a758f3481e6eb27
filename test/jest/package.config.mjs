import base from '../../jest.config.mjs';

/** The suites that install the packed package; they need the npm registry. */
export default {
  ...base,
  roots: ['<rootDir>/test/package'],
  testPathIgnorePatterns: ['<rootDir>/test/package/matrix/'],
  globalSetup: '<rootDir>/test/package/pack-once.mjs',
  // A registry, and a disk with many small files on it, may be slow.
  testTimeout: 600_000,
};
