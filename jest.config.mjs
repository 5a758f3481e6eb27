const swc = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
    module: { type: 'es6' },
  },
];

export default {
  testEnvironment: './test/support/database-environment.mjs',
  // Jest leaves one core idle by default; on two cores that is half of them.
  maxWorkers: '100%',
  // ES modules of finished test files stay in a worker's memory: start a new one before that slows it down.
  workerIdleMemoryLimit: '1GB',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // The first test file to open a database makes the dump that the others load (test/support/pglite-database.ts).
  testTimeout: 30_000,
  testPathIgnorePatterns: ['<rootDir>/test/package/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^nestjs-resource-api$': '<rootDir>/lib/index.ts',
    '^nestjs-resource-api/client$': '<rootDir>/lib/client/index.ts',
    '^nestjs-resource-api/schema$': '<rootDir>/lib/schema/index.ts',
    '^nestjs-resource-api/tanstack-query$': '<rootDir>/lib/tanstack-query/index.ts',
    '^nestjs-resource-api/testing$': '<rootDir>/lib/testing/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: { '^.+\\.ts$': swc },
};
