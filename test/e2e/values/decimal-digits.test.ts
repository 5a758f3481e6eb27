import { appsOnSchema } from '../../support/apps-on-schema.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';

const COLUMNS = [
  ['price', 'Decimal? @db.Decimal(4, 2)', 2, 2],
  ['whole', 'Decimal? @db.Decimal(5, 0)', 5, 0],
  ['numeric', 'Decimal? @db.Decimal(6, 6)', 0, 6],
  ['money', 'Decimal? @db.Money', 17, 2],
  ['prices', 'Decimal[] @db.Decimal(4, 2)', 2, 2],
] as const;

const MODELS = `model Shop {
  id Int @id
  items Item[]
}
model Item {
  id Int @id
  shopId Int?
  shop Shop? @relation(fields: [shopId], references: [id])
  free Decimal? @db.Decimal
${COLUMNS.map(([name, type]) => `  ${name} ${type}`).join('\n')}
}`;

/** Texts with as many digits as a column has, and with one more before or after the point. */
function textsOf(whole: number, fraction: number): { readonly fitting: readonly string[]; readonly unfit: readonly string[] } {
  const [before, after] = ['8'.repeat(whole) || '0', '8'.repeat(fraction)];
  const most = fraction > 0 ? `${before}.${after}` : before;
  return {
    fitting: ['0', '-0', most, `-${most}`, fraction > 0 ? `0.${after}00` : '0.000', fraction > 0 ? `1e-${fraction}` : '1e0'],
    unfit: [
      `0.${'0'.repeat(fraction)}1`,
      `-0.${after}5`,
      `1e-${fraction + 1}`,
      `1${'0'.repeat(whole)}`,
      `1e${whole}`,
      `-1${'0'.repeat(whole)}.5`,
    ],
  };
}

const CASES = COLUMNS.flatMap(([name, , whole, fraction]) => {
  const { fitting, unfit } = textsOf(whole, fraction);
  return [...fitting.map((text) => [name, text, true] as const), ...unfit.map((text) => [name, text, false] as const)];
});

const JSON_API = { 'Content-Type': 'application/vnd.api+json' };

interface Written {
  readonly way: string;
  readonly status: number;
  readonly problem: string;
  readonly place: unknown;
}

onPlatforms('digits of a Decimal column', (platform) => {
  const sql = 'INSERT INTO "Shop" VALUES (1); INSERT INTO "Item" ("id") VALUES (1);';
  const apps = appsOnSchema(platform, { name: 'decimal_digits', models: MODELS, sql });

  async function write({ agent }: TestApp, fields: object): Promise<readonly Written[]> {
    const rest = async (method: 'patch' | 'post', path: string, id: number): Promise<Written> => {
      const body = JSON.stringify({ data: { type: 'item', id, attributes: fields } });
      const answer = await agent[method](`/api/rest/${path}`).set(JSON_API).send(body);
      const [error] = answer.body.errors ?? [];
      return { way: `REST ${method}`, status: answer.status, problem: error?.detail ?? '', place: error?.source?.pointer };
    };
    const rpc = async (operation: string, args: object): Promise<Written> => {
      const method = /create|upsert/.test(operation) ? 'post' : 'put';
      const { status, body } = await agent[method](`/api/rpc/${operation}`).send(args);
      return { way: operation, status, problem: body.message ?? '', place: body.problems?.[0]?.path };
    };
    const [name = ''] = Object.keys(fields);
    const increments =
      name === 'prices' ? { prices: { push: Object.values(fields)[0] } } : { [name]: { increment: Object.values(fields)[0] } };
    await agent.put('/api/rpc/item/update').send({ where: { id: 1 }, data: { [name]: name === 'prices' ? [] : 0 } });
    return [
      await rpc('item/update', { where: { id: 1 }, data: increments }),
      await rest('patch', 'item/1', 1),
      await rest('post', 'item', 2),
      await rpc('item/update', { where: { id: 1 }, data: fields }),
      await rpc('item/update', { where: { id: 1 }, data: { [name]: { set: Object.values(fields)[0] } } }),
      await rpc('item/create', { data: { id: 3, ...fields } }),
      await rpc('item/createMany', { data: [{ id: 4, ...fields }] }),
      await rpc('item/upsert', { where: { id: 1 }, create: { id: 1 }, update: fields }),
      await rpc('shop/update', { where: { id: 1 }, data: { items: { create: { id: 5, ...fields } } } }),
    ];
  }

  it.each(sample.oneIn(4, CASES))('%s: %s is stored unchanged, or rejected', async (name, text, isFitting) => {
    const value = name === 'prices' ? [text] : text;
    for (const app of apps) {
      await app.agent.delete(`/api/rpc/item/deleteMany?q=${encodeURIComponent(JSON.stringify({ where: { id: { not: 1 } } }))}`).expect(200);
      const answers = await write(app, { [name]: value });
      for (const { way, status, problem, place } of answers) {
        if (isFitting) {
          expect([way, problem, [200, 201].includes(status)]).toEqual([way, '', true]);
          continue;
        }
        expect([way, status, problem]).toEqual([
          way,
          400,
          expect.stringMatching(/must be a decimal number with at most \d+ digits before/),
        ]);
        expect([way, String(place)]).toEqual([way, expect.stringContaining(name)]);
      }
      const { body } = await app.agent.get('/api/rpc/item/findMany');
      const rows = body.data as readonly Record<string, unknown>[];
      expect(rows).toHaveLength(isFitting ? 5 : 1);
      for (const row of isFitting ? rows : []) expect([row[name]].flat().map(Number)).toEqual([Number(text) + 0]);
    }
  });

  it('do not limit filters, nor columns without a precision', async () => {
    for (const { agent } of apps) {
      expect((await agent.get('/api/rest/item?filter[price$lt]=12345.6789')).status).toBe(200);
      const { status, body } = await agent.put('/api/rpc/item/update').send({ where: { id: 1 }, data: { free: '123456789.123456789123' } });
      expect([status, body.data?.free]).toEqual([200, '123456789.123456789123']);
    }
  });
});
