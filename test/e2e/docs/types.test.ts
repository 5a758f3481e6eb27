import { readFileSync } from 'node:fs';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { SPECIMEN } from '../../support/seed.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** The table of docs/types.md, on a field of each type. */
const FIELDS = {
  'String': 'string',
  'String @db.Uuid': 'uuid',
  'Boolean': 'boolean',
  'Int': 'int',
  'BigInt': 'bigInt',
  'Float': 'float',
  'Decimal': 'decimal',
  'DateTime': 'dateTime',
  'DateTime @db.Date': 'date',
  'Json': 'json',
  'Bytes': 'bytes',
  'an enum': 'level',
  'a list, Int[]': 'intList',
} as const;

const rows = [...readFileSync('docs/types.md', 'utf8').matchAll(/^\| ([^|]+) \| ([^|]*)\| ([^|]*)\| ([^|]*)\|$/gm)]
  .map(([, name = '', same = '', also = '', refused = '']) => ({ name: name.replaceAll('`', ''), same, also, refused }))
  .filter(({ name }) => name in FIELDS);

const cases = rows.flatMap(({ name, same, also, refused }) => {
  const field = FIELDS[name as keyof typeof FIELDS];
  const values = { same: valuesOf(same), also: valuesOf(also), refused: valuesOf(refused) };
  return Object.entries(values).flatMap(([as, list]) => list.map((value) => [as, JSON.stringify(value), name, field, value] as const));
});

function valuesOf(cell: string): readonly unknown[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => JSON.parse(code) as unknown);
}

describe('docs/types.md', () => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('has a row for every type', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(FIELDS));
  });

  it.each(cases)('is correct about %s: %s of %s', async (as, _text, _name, field, value) => {
    const { status, read } = await writeAndRead(field, value);
    expect(status).toEqual(as === 'refused' ? [400, 400] : [200, 200]);
    if (as === 'same') expect(read).toEqual([value, value]);
  });

  /** In REST, then in RPC. */
  async function writeAndRead(field: string, value: unknown) {
    const id = SPECIMEN.bare;
    const rest = await app.rest.patch(`/specimen/${id}`, { data: { type: 'specimen', id, attributes: { [field]: value } } });
    const rpc = await app.agent.patch('/api/rpc/specimen/update').send({ where: { id }, data: { [field]: value } });
    const body = rpc.body as { readonly data?: Readonly<Record<string, unknown>> };
    const attributes = rest.status === 200 ? rest.one.attributes : undefined;
    return { status: [rest.status, rpc.status], read: [attributes?.[field], body.data?.[field]] };
  }
});
