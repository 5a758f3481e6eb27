import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { THIS_DATABASE } from '../../support/databases/this-database.js';
import { PRODUCT, SPECIMEN } from '../../support/seed.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const [, ...ROWS] = readTable(readFileSync(new URL('../../../docs/databases.md', import.meta.url), 'utf8'));
const COLUMN = { postgresql: 1, mariadb: 2, sqlite: 3 }[THIS_DATABASE];

/** Returns the cells of the first table of a page, its head first. */
function readTable(page: string): readonly (readonly string[])[] {
  const all = page.split('\n');
  const table = all.slice(all.findIndex((line) => line.startsWith('|')));
  const lines = table.slice(
    0,
    table.findIndex((line) => !line.startsWith('|')),
  );
  return lines
    .filter((line) => !line.startsWith('| ---'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe(`docs/databases.md on ${THIS_DATABASE}`, () => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  /** Functions that return the text of the database's cell, by the first cell of the row. */
  const PROBES: Readonly<Record<string, () => Promise<string>>> = {
    '`a` and `A` in `$contains`, `$startsWith`, `$endsWith`': async () =>
      (await finds('post', 'title$startsWith', 'post')) && (await finds('post', 'title$contains', 'OST')) ? 'the same' : 'differ',
    '`ä` and `Ä` there': async () => {
      await database.prisma.tag.create({ data: { name: 'Äpfel' } });
      return (await finds('tag', 'name$contains', 'äpfel')) ? 'the same' : 'differ';
    },
    '`a` and `A` in equality, in ids and unique keys': async () => {
      const isSame = await finds('user', 'email', 'ADA@example.com');
      expect((await app.rest.get('/country/ch')).status).toBe(isSame ? 200 : 404);
      const data = { type: 'tag', attributes: { name: 'NEST' } };
      expect((await app.rest.post('/tag', { data })).status).toBe(isSame ? 409 : 201);
      return isSame ? 'the same' : 'differ';
    },
    'a space at the end of a text, in equality': async () => ((await finds('tag', 'name', 'nest ')) ? 'is ignored' : 'differs'),
    '`%` and `_` in `$contains`, `$startsWith`, `$endsWith`': async () => {
      const { status } = await app.rest.get('/post?filter[content$contains]=true_story&filter[title$startsWith]=Post');
      if (status === 400) return '400';
      expect(await finds('post', 'content$contains', '0% true_')).toBe(true);
      return (await finds('post', 'content$contains', 'true_s_ory')) ? 'wildcards' : 'literal';
    },
    "`$icontains`; `mode: 'insensitive'` on texts": async () => {
      const rest = await app.rest.get('/post?filter[title$icontains]=POST');
      const rpc = await app.rpc.call('post/count', { where: { title: { contains: 'POST', mode: 'insensitive' } } });
      return offered([rest.status, rpc.status]);
    },
    'lists of scalars; `$has`, `$hasEvery`, `$hasSome`, `$isEmpty`': async () => {
      const hasLists = 'keywords' in (await app.rest.get('/post/1')).one.attributes;
      const { errors } = await app.rest.get('/post?filter[title$has]=x');
      return hasLists ? 'yes' : errors[0]?.detail.endsWith("has no operator '$has'.") ? 'no, 400' : 'no';
    },
    '`$search`': async () => {
      const { status, errors } = await app.rest.get('/post?filter[title$search]=post');
      return status === 200 ? 'yes' : errors[0]?.detail.includes('is not set up there') ? 'with `@@fulltext`' : '400';
    },
    'links to `CH` by the id `ch`': async () => {
      const relationships = { country: { data: { type: 'country', id: 'ch' } } };
      const data = { type: 'warehouse', attributes: { name: 'x' }, relationships };
      const { status, document } = await app.rest.post('/warehouse?include=country', { data });
      if (status !== 201) return String(status);
      expect(document.data).toMatchObject({ attributes: { countryCode: 'CH' }, relationships: { country: { data: { id: 'CH' } } } });
      return 'linked, as `CH`';
    },
    'an id that is no UUID, where the id is one': async () => String((await app.rest.get('/product/1')).status),
    'nulls in an ascending sort': async () =>
      (await app.rest.get('/post?sort=categoryId,id')).many[0]?.attributes['categoryId'] === null ? 'first' : 'last',
    'enums in a sort': async () =>
      (await app.rest.get('/user?sort=role,id')).many[0]?.attributes['role'] === 'READER' ? 'as in the schema' : 'by the alphabet',
    '[cursors](rest.md#cursors) in a sort by a Decimal': async () => {
      const { status } = await app.rest.get('/product?page[size]=1&sort=price');
      return status === 200 ? 'yes' : String(status);
    },
    'digits of a Decimal': async () => {
      const decimal = '12345678901234567890.0123456789';
      const { one } = await patchSpecimen({ decimal });
      return one.attributes['decimal'] === decimal ? 'all' : 'about 15';
    },
    'a DateTime of the year 50': async () => {
      const { one } = await patchSpecimen({ dateTime: '0050-01-01T00:00:00.000Z' });
      const year = new Date(String(one.attributes['dateTime'])).getUTCFullYear();
      return year === 50 ? 'kept' : `read back as ${year}`;
    },
    'a text longer than its `@db.VarChar`': async () => {
      const attributes = { sku: 'longer than twelve', name: 'x', price: '1' };
      const { status } = await app.rest.post('/product', { data: { type: 'product', attributes } });
      return status === 201 ? 'stored' : String(status);
    },
    'the same Json with its keys in another order': async () =>
      (await finds('post', 'metadata', '{"revision":2,"source":"import"}')) ? 'equal' : 'not equal',
    '`path` of a Json filter (RPC)': async () => {
      const count = (path: unknown) => app.rpc.call('order/count', { where: { address: { path, equals: '8001' } } });
      const [keys, jsonPath] = [await count(['zip']), await count('$.zip')];
      expect([keys.status, jsonPath.status].sort()).toEqual([200, 400]);
      expect((keys.status === 200 ? keys : jsonPath).data).toBe(4);
      return keys.status === 200 ? "`['a', 'b']`" : "`'$.a.b'`";
    },
    '`gt`, `lt`, `array_contains` of a Json filter (RPC)': async () => {
      const path = (key: string): unknown => (THIS_DATABASE === 'postgresql' ? [key] : `$.${key}`);
      const ordered = await app.rpc.call('post/count', { where: { metadata: { path: path('revision'), gt: 6 } } });
      const listed = await app.rpc.call('specimen/count', { where: { json: { path: path('nested'), array_contains: [1] } } });
      return offered([ordered.status, listed.status]);
    },
    '`createManyAndReturn`, `updateManyAndReturn` (RPC)': async () => {
      const created = await app.rpc.call('tag/createManyAndReturn', { data: [{ name: 'x' }] });
      const updated = await app.rpc.call('tag/updateManyAndReturn', { where: { name: 'x' }, data: { name: 'y' } });
      return offered([created.status === 201 ? 200 : created.status, updated.status]);
    },
    '`skipDuplicates` (RPC)': async () => {
      const { status } = await app.rpc.call('tag/createMany', { data: [{ name: 'nest' }, { name: 'x' }], skipDuplicates: true });
      return status === 201 ? 'yes' : String(status);
    },
    'the write of a REST upsert': async () => {
      const data = { type: 'tag', attributes: { name: 'x' } };
      await app.rest.post('/tag', { data, meta: { operation: 'upsert', matchFields: ['name'] } });
      const isNative = database.statements.queries.some((sql) => /\bon conflict\b/i.test(sql));
      return isNative ? 'one statement' : 'looks, then writes';
    },
    '`/data/id` as the pointer of a 409 for an id that exists': async () => {
      const { status, errors } = await app.rest.post('/country', { data: { type: 'country', id: 'CH', attributes: { name: 'x' } } });
      expect([status, errors[0]?.code]).toEqual([409, 'unique-conflict']);
      return errors[0]?.source?.pointer === '/data/id' ? 'yes' : 'no';
    },
    'a broken `CHECK` in REST': async () => {
      const data = { type: 'product', attributes: { stock: -1 } };
      return String((await app.rest.patch(`/product/${PRODUCT.globe}`, { data })).status);
    },
    'default isolation of a transaction': async () => {
      if (THIS_DATABASE === 'sqlite') {
        const weaker = database.prisma.$transaction(() => Promise.resolve(), { isolationLevel: 'ReadCommitted' });
        await expect(weaker).rejects.toThrow(/READ COMMITTED/);
        return 'serializable';
      }
      const statement = THIS_DATABASE === 'mariadb' ? 'SELECT @@tx_isolation AS level' : 'SHOW transaction_isolation';
      const [row = {}] = await database.prisma.$queryRawUnsafe<object[]>(statement);
      return String(Object.values(row)[0]).toLowerCase().replace('-', ' ');
    },
  };

  it('has a probe for each row', () => {
    expect(ROWS.map(([name]) => name)).toEqual(Object.keys(PROBES));
  });

  it.each(ROWS.map((cells) => [cells[0] ?? '', cells[COLUMN]] as const))('%s: %s', async (name, cell) => {
    expect(await PROBES[name]?.()).toBe(cell);
  });

  async function finds(type: string, filter: string, value: string): Promise<boolean> {
    return (await app.rest.get(`/${type}?filter[${filter}]=${encodeURIComponent(value)}`)).ids.length > 0;
  }

  function patchSpecimen(attributes: object) {
    return app.rest.patch(`/specimen/${SPECIMEN.bare}`, { data: { type: 'specimen', attributes } });
  }
});

function offered(statuses: readonly number[]): string {
  return statuses.every((status) => status === 200) ? 'yes' : [...new Set(statuses)].join(', ');
}
