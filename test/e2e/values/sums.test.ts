import { appsOnSchema } from '../../support/apps-on-schema.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';

const FIELDS = [
  ['int', 'Int', '2147483647'],
  ['small', 'Int @db.SmallInt', '32767'],
  ['big', 'BigInt', '3000000000000000000'],
  ['decimal', 'Decimal @db.Decimal(4, 2)', '99.99'],
  ['float', 'Float', '1e300'],
] as const;

const MODELS = `model Entry {
  id Int @id
  kind String
${FIELDS.map(([name, type]) => `  ${name} ${type}`).join('\n')}
}`;

const VALUES = FIELDS.map(([, , value]) => value).join(', ');

onPlatforms('sums beyond the range of their field', (platform) => {
  const rows = [1, 2, 3].map((id) => `(${id}, 'a', ${VALUES})`).join(', ');
  const apps = appsOnSchema(platform, { name: 'sums', models: MODELS, sql: `INSERT INTO "Entry" VALUES ${rows};` });

  const groups = async ({ agent }: TestApp, args: object) => {
    return agent.get(`/api/rpc/entry/groupBy?q=${encodeURIComponent(JSON.stringify({ by: ['kind'], ...args }))}`);
  };

  it.each(FIELDS)('%s: having compares with the returned sum', async (name) => {
    for (const app of apps) {
      const { status, body } = await groups(app, { _sum: { [name]: true } });
      expect(status).toBe(200);
      const sum: unknown = body.data[0]._sum[name];
      for (const [operator, value, found] of [
        ['equals', sum, 1],
        ['gte', sum, 1],
        ['lt', sum, 0],
        ['in', [sum], 1],
        ['not', sum, 0],
      ] as const) {
        const answer = await groups(app, { having: { [name]: { _sum: { [operator]: value } } } });
        expect([operator, answer.status, answer.body.message, answer.body.data?.length]).toEqual([operator, 200, undefined, found]);
      }
    }
  });

  it.each([[{ big: { _sum: { gt: '9223372036854775808' } } }, 'having.big._sum.gt', /must be an integer between -9223372036854775808/]])(
    '%j, which Prisma cannot compare with, is rejected',
    async (having, path, message) => {
      for (const app of apps) {
        const { status, body } = await groups(app, { having });
        expect([status, body.problems]).toEqual([400, [expect.objectContaining({ path, message: expect.stringMatching(message) })]]);
      }
    },
  );

  it.each(['_min', '_max'])('%s accepts only values of its field', async (aggregate) => {
    for (const app of apps) {
      expect((await groups(app, { having: { int: { [aggregate]: { gt: 4_000_000_000 } } } })).status).toBe(400);
      expect((await groups(app, { having: { int: { _sum: { gt: 2 ** 53 } } } })).status).toBe(400);
    }
  });
});
