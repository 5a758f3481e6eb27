import { withSqlReads } from '../../../lib/index.js';
import { isTsQuery } from '../../../lib/model/values/ts-query.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { type Caller, callerOf } from '../rules/rules-suite.js';

/** The title of a post that no caller may read. */
const SECRET = 'topsecret';
const RULES = { 'Post': { 'read': { published: true }, '*': true }, '*': true } as const;

describe('filters that make a database fail', () => {
  let database: TestDatabase;
  let app: TestApp | undefined;

  beforeAll(async () => {
    database = await openTestDatabase();
  }, 60_000);
  beforeEach(async () => {
    await database.reset();
    const metadata = { code: SECRET, list: [1] };
    await database.prisma.post.update({ where: { id: 3 }, data: { title: SECRET, published: false, metadata } });
    database.statements.clear();
  });
  afterEach(() => app?.close());
  afterAll(() => database.close());

  /** Filters by a prefix of the secret, followed by what could be an error in the database if the prefix matched. */
  const FILTERS: readonly (readonly [what: string, filterOf: (text: string) => object])[] = [
    ['endsWith', (text) => ({ title: { endsWith: `${text}\\` } })],
    ['startsWith', (text) => ({ title: { startsWith: `${text}\\` } })],
    ['contains', (text) => ({ title: { contains: `${text}\\` } })],
    ['three backslashes', (text) => ({ title: { endsWith: `${text}\\\\\\` } })],
    ['endsWith in any case', (text) => ({ title: { endsWith: `${text.toUpperCase()}\\`, mode: 'insensitive' } })],
    ['not endsWith', (text) => ({ title: { not: { endsWith: `${text}\\` } } })],
    ['NOT endsWith', (text) => ({ NOT: [{ title: { endsWith: `${text}\\` } }] })],
    ['a related record', (text) => ({ comments: { some: { post: { title: { endsWith: `${text}\\` } } } } })],
    ['Json string_ends_with', (text) => ({ metadata: { path: ['code'], string_ends_with: `${text}\\` } })],
    ['Json string_contains', (text) => ({ metadata: { path: ['code'], string_contains: `${text}\\` } })],
    [
      'Json string_starts_with in any case',
      (text) => ({ metadata: { path: ['code'], string_starts_with: `${text}\\`, mode: 'insensitive' } }),
    ],
    ['Json equals in any case', (text) => ({ metadata: { path: ['code'], equals: `${text}%`, mode: 'insensitive' } })],
    ['Json not in any case', (text) => ({ metadata: { path: ['code'], not: `${text}_`, mode: 'insensitive' } })],
    ['search', (text) => ({ title: text, content: { search: 'a &' } })],
    ['not search', (text) => ({ title: text, NOT: { content: { search: 'a b' } } })],
  ];

  const CALLS: readonly (readonly [operation: string, argsOf: (where: object) => object])[] = [
    ['post/findMany', (where) => ({ where })],
    ['post/findFirst', (where) => ({ where })],
    ['post/count', (where) => ({ where })],
    ['post/aggregate', (where) => ({ where, _count: true })],
    ['post/groupBy', (where) => ({ by: ['title'], where })],
    ['post/updateMany', (where) => ({ where, data: { content: 'x' } })],
    ['post/deleteMany', (where) => ({ where })],
    ['user/findMany', (where) => ({ include: { posts: { where } } })],
    ['user/findMany', (where) => ({ where: { posts: { some: where } } })],
  ];

  onPlatforms('under rules', (platform) => {
    async function start(options: object = {}): Promise<Caller> {
      app = await startTestApp({ platform, database, options: { rules: RULES, ...options } });
      return callerOf(app);
    }

    it.each(sample.oneIn(2, FILTERS))(
      '%s is rejected with 400 before any SQL, for a matching and for another prefix',
      async (_, filterOf) => {
        const { rpc } = await start();
        database.statements.clear();
        for (const [operation, argsOf] of CALLS) {
          for (const text of ['topsec', 'zzz']) {
            const { status, error } = await rpc(operation, argsOf(filterOf(text)));
            expect([operation, status, error.orm]).toEqual([operation, 400, undefined]);
          }
        }
        expect(database.statements.all).toEqual([]);
      },
    );

    it('an invalid full-text query is rejected before any SQL, in a REST filter and in orderBy', async () => {
      const { rest, rpc } = await start();
      database.statements.clear();
      expect((await rest('GET', '/post?filter[title$search]=a%20%26')).status).toBe(400);
      const orderBy = { _relevance: { fields: ['title'], search: '& a', sort: 'asc' } };
      expect((await rpc('post/findMany', { orderBy })).status).toBe(400);
      expect(database.statements.all).toEqual([]);
      expect((await rpc('post/count', { where: { title: { search: 'post & (01 | 02)' } } })).status).toBe(200);
    });

    it('REST filters by a backslash as a plain character, and RPC by an escaped one', async () => {
      const { rest, rpc } = await start();
      await database.prisma.post.update({ where: { id: 1 }, data: { title: 'C:\\Dir\\' } });
      for (const operator of ['endsWith', 'contains', 'icontains', 'startsWith']) {
        const text = operator === 'endsWith' ? 'Dir\\' : 'C:\\';
        expect([operator, (await rest('GET', `/post?filter[title$${operator}]=${encodeURIComponent(text)}`)).ids]).toEqual([operator, [1]]);
      }
      expect((await rest('GET', '/post?filter[title$endsWith]=topsec%5C')).status).toBe(200);
      expect((await rest('GET', '/post?filter[title$notEndsWith]=topsec%5C')).status).toBe(200);
      expect((await rpc('post/findMany', { where: { title: { endsWith: 'Dir\\\\' } }, select: { id: true } })).data).toEqual([{ id: 1 }]);
      expect((await rpc('post/findMany', { where: { title: 'C:\\Dir\\' }, select: { id: true } })).data).toEqual([{ id: 1 }]);
    });
  });

  it.each([
    ['Prisma', false],
    ['SQL reads', true],
  ])('case-insensitive equality treats %, _ and backslashes as plain characters, through %s', async (_, inSql) => {
    const { prisma } = database;
    const resources = { User: { fields: { email: { read: false, filter: ['equals', 'in', 'notIn', 'not'] } } } } as const;
    const getClient = (): object => (inSql ? withSqlReads(prisma, database.sqlReads ?? {}) : prisma);
    app = await startTestApp({ platform: 'fastify', database, options: { getClient, resources } });
    const { rpc } = callerOf(app);
    await prisma.user.update({ where: { id: 1 }, data: { email: 'Tok_A%\\x', name: 'Ada 100%\\' } });
    await prisma.user.update({ where: { id: 2 }, data: { email: 'tokXAyyx', name: 'Ada 1000' } });
    const users = async (where: object): Promise<unknown> =>
      (await rpc('user/findMany', { where, select: { id: true }, orderBy: { id: 'asc' } })).data;
    const mode = 'insensitive';
    const ids = (...all: readonly number[]): unknown => all.map((id) => ({ id }));
    for (const equals of ['tok_a%\\X', 'TOK_A%\\X']) expect(await users({ email: { equals, mode } })).toEqual(ids(1));
    for (const equals of ['tok%', '%', 'tok_a%', 'tok_ayyx', 'tok\\_a%\\\\x', 'tok', 'tok_a%\\']) {
      expect([equals, await users({ email: { equals, mode } })]).toEqual([equals, []]);
    }
    expect(await users({ email: { equals: 'TOKXAYYX', mode } })).toEqual(ids(2));
    expect(await users({ id: { in: [1, 2] }, email: { not: 'tok%', mode } })).toEqual(ids(1, 2));
    expect(await users({ id: { in: [1, 2] }, email: { not: 'TOK_a%\\x', mode } })).toEqual(ids(2));
    expect(await users({ id: { in: [1, 2] }, email: { not: { equals: 'TOK_a%\\x' }, mode } })).toEqual(ids(2));
    expect(await users({ email: { in: ['tok%', 'TOK_A%\\X'], mode } })).toEqual(ids(1));
    expect(await users({ id: { in: [1, 2] }, email: { notIn: ['tok%', 'TOK_A%\\X'], mode } })).toEqual(ids(2));
    expect(await users({ name: { equals: 'ADA 100%', mode } })).toEqual([]);
    expect(await users({ name: { equals: 'ADA 100%\\', mode } })).toEqual(ids(1));
    // `startsWith` keeps Prisma's wildcards.
    expect(await users({ name: { startsWith: 'ADA_100', mode } })).toEqual(ids(1, 2));
    const having = { name: { equals: 'ADA 100%', mode } };
    expect((await rpc('user/groupBy', { by: ['name'], having })).data).toEqual([]);
    expect((await rpc('user/groupBy', { by: ['name'], having: { name: { equals: 'ADA 100%\\', mode } } })).data).toHaveLength(1);
  });

  it('isTsQuery accepts no query that to_tsquery rejects', async () => {
    const { prisma } = database;
    await prisma.$executeRaw`CREATE OR REPLACE FUNCTION is_ts_query(query text) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN PERFORM to_tsquery(query); RETURN true; EXCEPTION WHEN OTHERS THEN RETURN false; END $$`;
    let seed = 1;
    const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const queries = Array.from({ length: 5000 }, () => Array.from({ length: 1 + next(7) }, () => PIECES[next(PIECES.length)]).join(''));
    const taken = queries.filter(isTsQuery);
    expect(taken.length).toBeGreaterThan(500);
    const refused = await prisma.$queryRaw`SELECT query FROM unnest(${taken}::text[]) AS query WHERE NOT is_ts_query(query)`;
    await prisma.$executeRaw`DROP FUNCTION is_ts_query`;
    expect(refused).toEqual([]);
  });
});

const PIECES = [
  ...['a', 'b', 'é', '1', "'", '\\', '!', '&', '|', '(', ')', '<->', '<', '>', '<2>', ':', ':*', ':A', '*', ' ', '\t', '-', '.', '%', '"'],
  ...[
    'a b',
    '#',
    '日本',
    '\u0085',
    '\u2003',
    '\u00a0',
    '\u001f',
    "''",
    '<-',
    '<99999>',
    '<16384>',
    '<16385>',
    ':ab',
    'http://x.y/a?b=c',
    '@',
  ],
];
