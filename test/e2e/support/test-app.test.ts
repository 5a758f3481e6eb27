import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { day } from '../../support/seed.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
beforeEach(() => database.reset());
afterAll(() => database.close());

onPlatforms('the test app', (platform) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ platform, database });
  });
  afterAll(() => app.close());

  it('serves REST through the validating client', async () => {
    const { ids, document } = await app.rest.get('/post?page[limit]=3&sort=-id&include=author');
    expect(ids).toEqual([12, 11, 10]);
    expect(document.meta).toMatchObject({ total: 12 });
  });

  it('serves RPC through the validating client, with dates in both directions', async () => {
    const { data } = await app.rpc.call('post/findMany', { where: { createdAt: { lte: day(1) } }, select: { createdAt: true } });
    expect(data).toEqual([{ createdAt: day(1) }]);
  });

  it('queries the database of the test', async () => {
    await app.rpc.call('tag/findMany');
    expect(database.statements.queries).toHaveLength(1);
  });

  it.each([
    'user',
    'profile',
    'category',
    'post',
    'comment',
    'tag',
    'country',
    'warehouse',
    'product',
    'order',
    'orderLine',
    'refund',
    'translation',
    'exchangeRate',
    'auditEvent',
    'specimen',
  ])('serves every seeded %s in both styles', async (type) => {
    const { many } = await app.rest.get(`/${type}`);
    const { data } = await app.rpc.call(`${type}/findMany`);
    expect(many.length).toBeGreaterThan(0);
    expect(data).toHaveLength(many.length);
  });
});

onPlatforms('the test app in strict mode', (platform) => {
  it('serves strings as ids, which the strict schema validates', async () => {
    const app = await startTestApp({ platform, database, options: { rest: { strict: true } } });
    const { one } = await app.rest.get('/auditEvent/1');
    expect(one).toMatchObject({ id: '1', attributes: { kind: 'login' } });
    await app.close();
  });
});
