import base from '../../jest.config.mjs';

/** The end-to-end tests of both styles, each read that can be being one statement of SQL: the same files, the same answers. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/e2e/{rest,rpc}/**/*.test.ts'],
  // What Prisma asks the database.
  testPathIgnorePatterns: [...base.testPathIgnorePatterns, 'rest/statements\\.test'],
};
