import base from '../../jest.config.mjs';

/** The end-to-end tests of both styles, each read that can be being one statement of SQL: the same files, the same answers. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/e2e/{rest,rpc}/**/*.test.ts'],
  // Tests of the statements that Prisma sends.
  testPathIgnorePatterns: [...base.testPathIgnorePatterns, 'rest/statements\\.test'],
};
