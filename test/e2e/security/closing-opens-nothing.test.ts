import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

onPlatforms('hiding a field of a hidden model', (platform) => {
  let database: TestDatabase;
  const apps: TestApp[] = [];
  beforeAll(async () => {
    database = await openTestDatabase();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await database.close();
  });

  it.each([
    ['all models', { '*': 'hidden', 'Tag': { actions: ['read'] }, 'ApiToken': { fields: { secret: 'hidden' } } }],
    ['a comment', { ApiToken: { fields: { secret: 'hidden', userId: { filter: false } } } }],
  ] as const)('does not expose the model, in %s', async (_, resources) => {
    const app = await startTestApp({ platform, database, options: { resources } });
    apps.push(app);
    const [token] = await database.prisma.apiToken.findMany();
    const path = `/apiToken/${String(token?.id)}`;
    const answers = [await app.rest.get(path), await app.rest.get('/apiToken'), await app.rest.delete(path)];
    expect(answers.map(({ status, errors }) => [status, errors[0]?.code])).toEqual(Array(3).fill([404, 'unsupported-model']));
    for (const operation of ['findMany', 'deleteMany']) {
      expect((await app.rpc.call(`apiToken/${operation}`, { where: {} })).status).toBe(400);
    }
    expect(await database.prisma.apiToken.count()).toBeGreaterThan(0);
    expect((await app.rest.get('/tag/1')).status).toBe(200);
  });
});
