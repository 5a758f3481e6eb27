import type { DatabaseProvider } from '../../../lib/model/schema/resource-schema.js';
import { assertNoLeak } from '../../../lib/testing/assert-no-leak.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

onPlatforms('RPC operations that a database does not support', (platform) => {
  let database: TestDatabase;
  const apps: TestApp[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => database.reset());
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));
  afterAll(() => database.close());

  /** Starts an application for a database, without one, because rejected calls execute no SQL. */
  async function startOn(provider: DatabaseProvider): Promise<TestApp> {
    const app = await startTestApp({ platform, database, options: { schema: { ...resourceSchema, provider } } });
    apps.push(app);
    return app;
  }

  const create = { data: [{ name: 'x' }] };
  const update = { where: {}, data: { name: 'x' } };

  it.each([
    ['mysql', 'createManyAndReturn', create, "The database (mysql) has no operation 'createManyAndReturn'."],
    ['mysql', 'updateManyAndReturn', update, "The database (mysql) has no operation 'updateManyAndReturn'."],
    ['sqlserver', 'createManyAndReturn', create, "The database (sqlserver) has no operation 'createManyAndReturn'."],
    ['mongodb', 'updateManyAndReturn', update, "The database (mongodb) has no operation 'updateManyAndReturn'."],
    [
      'sqlite',
      'createMany',
      { ...create, skipDuplicates: true },
      'skipDuplicates is an argument that the database (sqlite) does not have.',
    ],
  ] as const)('on %s are a 400 before any SQL, alone and in a batch: %s %j', async (provider, op, args, message) => {
    const app = await startOn(provider);
    const alone = await app.rpc.call(`tag/${op}`, args);
    expect([alone.status, alone.error]).toEqual([400, expect.objectContaining({ message })]);
    expect(alone.error).not.toHaveProperty('orm');
    const batch = await app.rpc.sequential([
      { model: 'tag', op: 'create', args: { data: { name: 'y' } } },
      { model: 'tag', op, args },
    ]);
    expect([batch.status, batch.error.message]).toEqual([400, `operations[1]: ${message}`]);
    expect(database.statements.all).toEqual([]);
  });

  sample.omitted.it('are rejected also for a hidden field', async () => {
    const app = await startOn('mysql');
    await assertNoLeak(app.nest, { model: 'User', field: 'passwordHash', values: ['hash-of-user'] });
  });
});
