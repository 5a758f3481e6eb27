import { appsOnSchema } from '../../support/apps-on-schema.js';
import { onPlatforms } from '../../support/test-app.js';

const MODELS = `model Account {
  id Int @id
  n Int @default(1)
  class Int? @default(dbgenerated("0")) @map("class_code")
  flags String? @db.Bit(4)
  code String? @db.VarChar(3)
  size Float? @db.Real
}`;

const SQL = `ALTER TABLE "Account" DROP COLUMN "class_code";
ALTER TABLE "Account" ADD COLUMN "class_code" integer GENERATED ALWAYS AS (n * 2) STORED;
ALTER TABLE "Account" ALTER COLUMN "n" SET DEFAULT 1;
INSERT INTO "Account" ("id") VALUES (1);`;

/** Values that the database alone rejects. */
const REJECTED = [
  ['class', 5, /computes/],
  ['size', 1e300, /range/],
  ['flags', '10', /length/],
  ['code', 'abcd', /too long/],
] as const;

onPlatforms('values that the database rejects', (platform) => {
  const apps = appsOnSchema(platform, { name: 'rejected_columns', models: MODELS, sql: SQL });

  it.each(REJECTED)('%s: a REST write points at the invalid attribute', async (name, value, detail) => {
    for (const { agent } of apps) {
      const patched = await agent
        .patch('/api/rest/account/1')
        .set('Content-Type', 'application/vnd.api+json')
        .send(JSON.stringify({ data: { type: 'account', id: '1', attributes: { n: 2, [name]: value } } }));
      const posted = await agent
        .post('/api/rest/account')
        .set('Content-Type', 'application/vnd.api+json')
        .send(JSON.stringify({ data: { type: 'account', id: '2', attributes: { n: 2, [name]: value } } }));
      for (const { status, body } of [patched, posted]) {
        expect({ status, body }).toMatchObject({
          status: 400,
          body: { errors: [{ code: 'invalid-value', source: { pointer: `/data/attributes/${name}` } }] },
        });
        expect(body.errors[0].detail).toMatch(detail);
      }
    }
  });

  it.each(REJECTED)('%s: an RPC write has the reason and the path', async (name, value, detail) => {
    const data = { n: 2, [name]: value };
    for (const { agent } of apps) {
      for (const [operation, args, path] of [
        ['update', { where: { id: 1 }, data }, `data.${name}`],
        ['updateMany', { where: { id: 1 }, data }, `data.${name}`],
        ['upsert', { where: { id: 1 }, create: { id: 1 }, update: data }, `update.${name}`],
        ['create', { data: { id: 2, ...data } }, `data.${name}`],
        ['createMany', { data: [{ id: 2, ...data }, { id: 3 }] }, 'data'],
      ] as const) {
        const send = operation.startsWith('create') || operation === 'upsert' ? agent.post.bind(agent) : agent.put.bind(agent);
        const { status, body } = await send(`/api/rpc/account/${operation}`).send(args);
        const message = expect.stringMatching(detail);
        expect({ operation, status, message: body.message, problems: body.problems }).toEqual({
          operation,
          status: 400,
          message,
          problems: [{ path, message, code: 'invalid-value' }],
        });
      }
    }
  });
});
