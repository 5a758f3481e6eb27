import { type OpenSchema, openSchema } from '../../support/open-schema.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const MODELS = `model Shop {
  id Int @id
  items Item[]
}
model Item {
  id Int @id
  shopId Int
  shop Shop @relation(fields: [shopId], references: [id])
}`;

const MANY = 70_000;
const IDS = Array.from({ length: MANY }, (_, index) => index + 1);

sample.omitted.describe('queries of more values than a statement of Prisma may have', () => {
  onPlatforms('on', (platform) => {
    let database: OpenSchema;
    let app: TestApp;

    beforeAll(async () => {
      const sql = `INSERT INTO "Shop" SELECT generate_series(1, ${MANY}); INSERT INTO "Item" SELECT n, n FROM generate_series(1, ${MANY}) AS n;`;
      database = await openSchema({ name: 'bind_values', models: MODELS, sql });
      const limits = { maxFilterTerms: 200_000, maxTake: 200_000, maxBodySize: '5mb', maxValues: 500_000, maxDuration: 60_000 } as const;
      app = await startTestApp({ platform, options: { schema: database.schema, getClient: () => database.prisma, limits } });
    }, 60_000);
    afterAll(async () => {
      await app.close();
      await database.close();
    });

    const find = (args: object) => app.agent.post('/api/rpc/item/findMany').set('X-HTTP-Method-Override', 'GET').send(args);

    it.each([
      ['in', { id: { in: IDS } }],
      ['notIn', { id: { notIn: IDS } }],
      ['NOT', { NOT: { id: { in: IDS } } }],
    ])('%s is rejected with the maximum and the solution', async (_, where) => {
      const { status, body } = await find({ where });
      expect([status, body.code, body.message]).toEqual([400, 'P2029', expect.stringMatching(/32767 on PostgreSQL.*Send fewer values/)]);
    });

    it('are rejected in REST', async () => {
      const ids = IDS.slice(0, 40_000).join(',');
      const { status, body } = await app.agent
        .post('/api/rest/item')
        .set('X-HTTP-Method-Override', 'QUERY')
        .set('Content-Type', 'application/x-www-form-urlencoded')
        .send(`filter[id$notIn]=${ids}`);
      expect([status, body.errors?.[0]]).toEqual([
        400,
        expect.objectContaining({ code: 'limit-exceeded', detail: expect.stringContaining('32767') }),
      ]);
    });

    it('do not affect an include of as many records', async () => {
      const { status, body } = await find({ include: { shop: true } });
      expect([status, body.data.length]).toEqual([200, MANY]);
    });
  });
});
