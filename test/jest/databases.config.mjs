import base from '../../jest.config.mjs';

const PROVIDERS = { sqlite: 'sqlite', mariadb: 'mysql' };
const provider = PROVIDERS[process.env.TEST_DATABASE];
if (provider === undefined) throw new Error(`TEST_DATABASE must be one of ${Object.keys(PROVIDERS).join(', ')}.`);

/** The end-to-end tests of both styles on another database than PostgreSQL: the same files, with the client that is generated for it. */
export default {
  ...base,
  // What compares with policies of PostgreSQL is about PostgreSQL.
  testPathIgnorePatterns: [...base.testPathIgnorePatterns, 'rules/differing-'],
  testMatch: ['<rootDir>/test/e2e/{rest,rpc,rules,hooks,databases}/**/*.test.ts', '<rootDir>/test/e2e/idempotency/idempotency*.test.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*generated)/(prisma/client|resource-schema)\\.js$': `$1/${provider}/$2`,
    ...base.moduleNameMapper,
  },
};
