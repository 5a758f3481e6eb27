import { assertNoLeak } from '../../../lib/testing/assert-no-leak.js';
import type { HiddenField } from '../../../lib/testing/hidden-field.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { day } from '../../support/seed.js';
import { PLATFORMS, startTestApp } from '../../support/test-app.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database.close());

/** Statements may have been run, on rows that do not exist. */
async function expectUnchanged(): Promise<void> {
  const { prisma } = database;
  const counts = [
    prisma.user.count(),
    prisma.apiToken.count(),
    prisma.post.count(),
    prisma.user.count({ where: { updatedAt: { gt: day(9) } } }),
  ];
  expect(await Promise.all(counts)).toEqual([5, 2, 12, 0]);
}

const HASH: HiddenField = { model: 'User', field: 'passwordHash', values: ['hash-of-user'] };

const FIELDS: readonly HiddenField[] = [
  HASH,
  { model: 'User', field: 'recoveryCode', values: ['ADA-RECOVERY'] },
  { model: 'User', field: 'pin', values: ['"1815"'] },
  { model: 'User', field: 'tokens' },
  { model: 'ApiToken', field: 'secret', values: ['secret-token-of'] },
];

describe('assertNoLeak', () => {
  // A field takes a second and more: both platforms for each of them in the long suites alone.
  it.each(sample.inTurn(PLATFORMS, sample.oneIn(5, FIELDS)))(
    'on %s finds no leak of %j',
    async (platform, hidden) => {
      const app = await startTestApp({ platform, database });
      try {
        await assertNoLeak(app.nest, hidden);
        await expectUnchanged();
      } finally {
        await app.close();
      }
    },
    120_000,
  );
});
