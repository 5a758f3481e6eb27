import { availableParallelism } from 'node:os';

export default {
  // For the configurations in test/jest, which begin with this one.
  rootDir: import.meta.dirname,
  runner: './test/jest/runner/index.mjs',
  globalSetup: './test/jest/set-up.mjs',
  testSequencer: './test/support/random-order.mjs',
  // Jest leaves one core idle by default. Tests wait a quarter of their time, for timers and sockets.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // The first test file to open a database makes the dump that the others load (test/support/pglite-database.ts).
  testTimeout: 30_000,
  testPathIgnorePatterns: ['<rootDir>/test/package/'],
  moduleNameMapper: {
    '^nestjs-resource-api$': '<rootDir>/lib/index.ts',
    '^nestjs-resource-api/client$': '<rootDir>/lib/client/index.ts',
    '^nestjs-resource-api/react-admin$': '<rootDir>/lib/react-admin/index.ts',
    '^nestjs-resource-api/refine$': '<rootDir>/lib/refine/index.ts',
    '^nestjs-resource-api/schema$': '<rootDir>/lib/schema/index.ts',
    '^nestjs-resource-api/tanstack-query$': '<rootDir>/lib/tanstack-query/index.ts',
    '^nestjs-resource-api/testing$': '<rootDir>/lib/testing/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};
