import type { RestResponse } from '../../support/rest-client.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { defineRules } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { refusalOf, tag } from './write-suite.js';

const POSTGRESQL = onDatabases('postgresql').it;

/** Returns the parts of a response that depend on how the total was counted. */
const totals = ({ document, headers }: RestResponse): unknown => ({
  meta: document.meta,
  last: document.links?.['last'] !== undefined,
  applied: headers['preference-applied'],
  varies: String(headers['vary']).includes('Prefer'),
});

/** Returns the estimated total, which may differ from the real one by single rows. */
const guessOf = ({ document }: RestResponse): number =>
  (document.meta as { readonly page: { readonly estimatedTotal: { readonly bestGuess: number } } }).page.estimatedTotal.bestGuess;

onPlatforms('preferences', (platform) => {
  let database: TestDatabase;
  const apps: TestApp[] = [];
  const start = async (options: object): Promise<TestApp> => {
    const app = await startTestApp({ platform, database, options });
    apps.push(app);
    return app;
  };
  let app: TestApp;
  const get = (path: string, prefer: string, of = app): Promise<RestResponse> => of.rest.get(path, { Prefer: prefer });

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await start({ rest: { count: { exactUpTo: 5 } } });
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    for (const one of apps) await one.close();
    await database.close();
  });

  const NONE = { meta: undefined, last: false, applied: 'count=none', varies: true };

  it.each(['/tag?page[limit]=2&fields[tag]=name', '/post/1/tags?fields[tag]=name', '/post/1/relationships/tags'])(
    'PF-02: count=none omits the count statement of %s',
    async (path) => {
      const response = await get(path, 'count=none');
      expect(totals(response)).toEqual(NONE);
      expect(database.statements.all.join()).not.toMatch(/count\(/i);
    },
  );

  it('PF-02: count=exact is applied although it is the default', async () => {
    const response = await get('/tag', 'count=exact');
    expect(totals(response)).toMatchObject({ meta: { total: await database.prisma.tag.count() }, applied: 'count=exact', varies: true });
  });

  it('do not change responses to requests without Prefer', async () => {
    const { headers } = await app.rest.get('/tag');
    expect([headers['vary'], headers['preference-applied']]).toEqual(['Accept, Authorization, Cookie', undefined]);
  });

  it('PF-02: are limited by rest.count.most', async () => {
    const closed = await start({ rest: { count: 'none' } });
    expect(totals(await get('/tag', 'count=exact', closed))).toEqual({ meta: undefined, last: false, applied: undefined, varies: false });
    expect(refusalOf(await get('/tag', 'count=exact, handling=strict', closed))).toEqual([400, 'unsupported-header Prefer']);
    const open = await start({ rest: { count: { default: 'none', most: 'exact' } } });
    expect(totals(await open.rest.get('/tag'))).toMatchObject({ last: false });
    expect(totals(await get('/tag', 'count=exact', open))).toMatchObject({ meta: { total: 5 }, last: true });
  });

  POSTGRESQL('PF-02: count=estimated is exact up to exactUpTo', async () => {
    expect(totals(await get('/tag', 'count=estimated'))).toMatchObject({ meta: { total: 5 }, last: true, applied: 'count=estimated' });
    expect(totals(await get('/post/1/tags', 'count=estimated'))).toMatchObject({ meta: { total: 2 } });
  });

  POSTGRESQL('PF-02: count=estimated is the estimate of the planner for the filter above exactUpTo', async () => {
    await database.prisma.$executeRawUnsafe('ANALYZE');
    const all = await get('/comment?page[limit]=3&fields[comment]=body', 'count=estimated');
    expect(totals(all)).toEqual({
      meta: { page: { estimatedTotal: { bestGuess: 20 } } },
      last: false,
      applied: 'count=estimated',
      varies: true,
    });
    expect(all.document.links).toMatchObject({ prev: null, next: expect.stringContaining('page%5Boffset%5D=3') as string });
    expect(database.statements.all.filter((text) => text.startsWith('EXPLAIN'))).toHaveLength(1);
    const filtered = await get('/comment?filter[id$lte]=8', 'count=estimated');
    expect(guessOf(filtered)).toBeGreaterThanOrEqual(6);
    expect(guessOf(filtered)).toBeLessThanOrEqual(9);
  });

  POSTGRESQL('PF-02: count=estimated has next: null on the last page', async () => {
    await database.prisma.$executeRawUnsafe('ANALYZE');
    const end = await get('/comment?page[offset]=18&page[limit]=5', 'count=estimated');
    expect(end.many).toHaveLength(2);
    expect(end.document.links).toMatchObject({ next: null });
  });

  POSTGRESQL('PF-02: count=estimated does not count unreadable rows', async () => {
    const rules = defineRules<TestDatabase['prisma']>()({ '*': { read: true }, 'Comment': { read: { id: { lte: 7 } } } });
    const ruled = await start({ rules, rest: { count: { default: 'estimated', exactUpTo: 5 } } });
    await database.prisma.$executeRawUnsafe('ANALYZE');
    expect(guessOf(await ruled.rest.get('/comment?page[limit]=3'))).toBeLessThanOrEqual(8);
  });

  it('PF-02: rest.count: estimated is a configuration error on databases other than PostgreSQL', async () => {
    const setup = {
      platform,
      options: { schema: { ...resourceSchema, provider: 'mysql' as const }, getClient: () => ({}), rest: { count: 'estimated' as const } },
    };
    await expect(startTestApp(setup)).rejects.toThrow("rest.count is 'estimated', and only PostgreSQL's planner is asked for an estimate");
  });

  it.each(['most', 'default', 'exactUpTo'])('reject an invalid rest.count.%s at boot', async (name) => {
    // The types reject it, but plain JavaScript can pass it.
    const setup = { platform, options: { getClient: () => ({}), rest: { count: { [name]: 0 } as never } } };
    await expect(startTestApp(setup)).rejects.toThrow(`rest.count.${name} is '0'`);
  });

  it('PF-01: are a 400 with handling=strict if a single resource cannot apply them', async () => {
    expect(refusalOf(await get('/tag/1', 'handling=strict, count=none'))).toEqual([400, 'unsupported-header Prefer']);
    expect((await get('/tag/1', 'count=none')).status).toBe(200);
    expect((await get('/tag/1', 'handling=strict')).status).toBe(200);
  });

  const minimal = { Prefer: 'return=minimal' };
  const applied = ({ status, headers, text }: RestResponse): unknown => [status, headers['preference-applied'], text === ''];

  it('PF-03: return=minimal answers 204 to an update that changes only the sent fields', async () => {
    const body = { data: { type: 'tag', id: 1, attributes: { name: 'renamed' } } };
    expect(applied(await app.rest.patch('/tag/1', body, minimal))).toEqual([204, 'return=minimal', true]);
    expect(await database.prisma.tag.findUnique({ where: { id: 1 } })).toMatchObject({ name: 'renamed' });
  });

  it('PF-03: return=minimal is not applied to an update that changes updatedAt (UP-06)', async () => {
    const body = { data: { type: 'post', id: 1, attributes: { title: 'Renamed' } } };
    expect(applied(await app.rest.patch('/post/1', body, minimal))).toEqual([200, undefined, false]);
    expect(refusalOf(await app.rest.patch('/post/1', body, { Prefer: 'return=minimal, handling=strict' }))).toEqual([
      400,
      'unsupported-header Prefer',
    ]);
  });

  it('PF-03: return=minimal is not applied to a create with a generated id (CR-06), and is with a client id (CR-09)', async () => {
    const create = (attributes: object, type: string, id?: unknown) =>
      app.rest.post(`/${type}`, { data: { type, ...(id !== undefined && { id }), attributes } }, minimal);
    expect(applied(await create({ name: 'new' }, 'tag'))).toEqual([201, undefined, false]);
    const made = await create({ name: 'Narnia' }, 'country', 'NN');
    expect(applied(made)).toEqual([204, 'return=minimal', true]);
    expect(made.headers['location']).toContain('/country/NN');
  });

  it('PF-03: return=minimal answers 204 to a change of a relationship', async () => {
    expect(applied(await app.rest.post('/post/1/relationships/tags', { data: [tag(3)] }, minimal))).toEqual([204, 'return=minimal', true]);
    expect(applied(await app.rest.delete('/comment/1', undefined, minimal))).toEqual([204, 'return=minimal', true]);
    expect(applied(await app.rest.delete('/comment/2', undefined, { Prefer: 'return=representation' }))).toEqual([204, undefined, true]);
  });

  it('PF-03: return=representation is applied, and answers as without it', async () => {
    const body = { data: { type: 'tag', id: 1, attributes: { name: 'renamed' } } };
    const response = await app.rest.patch('/tag/1', body, { Prefer: 'return=representation' });
    expect(applied(response)).toEqual([200, 'return=representation', false]);
  });

  const affect = (prefer: string, call = 'comment/deleteMany', args: unknown = { where: { id: { lte: 4 } } }) =>
    app.rpc.call(call, args, { headers: { Prefer: prefer } });

  it('PF-04: max-affected rolls back a write of more records', async () => {
    const refused = await affect('max-affected=3, handling=strict');
    expect([refused.status, refused.error.message]).toEqual([
      400,
      'comment.deleteMany would change more than 3 records (max-affected), and has changed none.',
    ]);
    const update = { where: { id: { lte: 4 } }, data: { body: 'x' } };
    expect((await affect('max-affected=3, handling=strict', 'comment/updateMany', update)).status).toBe(400);
    expect(await database.prisma.comment.count({ where: { body: { not: 'x' } } })).toBe(20);
    const done = await affect('max-affected=4, handling=strict');
    expect([done.status, done.data, done.headers['preference-applied']]).toEqual([200, { count: 4 }, 'max-affected=4, handling=strict']);
  });

  it('PF-04: max-affected is ignored without handling=strict, and a 400 with it in reads and batches', async () => {
    expect((await affect('max-affected=1, handling=strict', 'comment/findMany', {})).status).toBe(400);
    expect((await affect('max-affected=x, handling=strict')).status).toBe(400);
    const batch = await app.rpc.sequential([{ model: 'comment', op: 'deleteMany', args: { where: { id: 5 } } }], {
      Prefer: 'handling=strict, max-affected=5',
    });
    expect(batch.status).toBe(400);
    const lenient = await affect('max-affected=1');
    expect([lenient.data, lenient.headers['preference-applied']]).toEqual([{ count: 4 }, undefined]);
  });
});
