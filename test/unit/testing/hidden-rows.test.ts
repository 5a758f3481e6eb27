import { assertNoLeak, type HiddenRow, LeakError } from '../../../lib/testing/index.js';
import { isPlainObject } from '../../../lib/wire/is-plain-object.js';
import { sample } from '../../support/sample.js';
import { long } from '../../support/long.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { type Platform, PLATFORMS, startTestApp, type TestAppOptions } from '../../support/test-app.js';
import { RULES } from '../../e2e/rules/rules.js';

/** A draft of user 3. */
const DRAFT: HiddenRow = {
  model: 'Post',
  row: { id: 3 },
  headers: { 'X-User-Id': '1' },
  reader: { 'X-User-Id': '3' },
  values: ['Post 03'],
};

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);

afterAll(() => database.close());

async function surfacesOf(
  hidden: HiddenRow,
  options: TestAppOptions['options'],
  platform: Platform = 'fastify',
): Promise<readonly string[]> {
  const app = await startTestApp({ platform, database, options: { ...options } });
  try {
    await assertNoLeak(app.nest, hidden);
    return [];
  } catch (error) {
    if (error instanceof LeakError) return error.leaks.map(({ surface }) => surface);
    throw error;
  } finally {
    await app.close();
  }
}

// Each takes seconds.
long.describe('assertNoLeak of a record', () => {
  it.each(PLATFORMS)(
    'on %s finds no leak under row rules, and writes nothing',
    async (platform) => {
      const read = () => database.prisma.post.findMany({ orderBy: { id: 'asc' }, include: { tags: { orderBy: { id: 'asc' } } } });
      const before = await read();
      expect(await surfacesOf(DRAFT, { rules: RULES }, platform)).toEqual([]);
      expect(await read()).toEqual(before);
    },
    120_000,
  );
});

/** The members of its `OR`. A query may have conditions of the caller beside it. */
const RULE_OF_POSTS = '[{"published":true},{"authorId":1}]';

/** Returns arguments without the rule of posts, as if it were not enforced there. */
function unruled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unruled);
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => JSON.stringify(member) !== RULE_OF_POSTS);
  return Object.fromEntries(members.map(([key, member]) => [key, unruled(member)]));
}

/** A client that leaves the rule of posts out of one operation. */
function forgetting(model: string, operation: string): object {
  return database.prisma.$extends({
    query: {
      $allModels: {
        $allOperations: ({ model: called, operation: asked, args, query }) =>
          // The type of the arguments of all operations together has no members.
          query((called.toLowerCase() === model && asked === operation ? unruled(args) : args) as typeof args),
      },
    },
  });
}

describe('assertNoLeak of a record reports', () => {
  sample.omitted.it(
    'everything of an API without rules',
    async () => {
      expect(await surfacesOf(DRAFT, {})).toEqual(
        expect.arrayContaining([
          'REST GET /post/{id}',
          'REST GET /post?filter[id]',
          'REST GET /post',
          'REST GET /user?include=posts',
          'REST GET /post/{id}/relationships/author',
          'RPC post/findUnique',
          'RPC post/count {}',
          'RPC user/findMany _count posts',
          'RPC user/findMany some posts',
          'RPC user/findMany none posts',
          'RPC user/findMany every posts',
          'RPC user/findMany cursor in posts',
          'RPC comment/findMany where post',
          'RPC comment/findMany where NOT post',
          'RPC batch: post/delete',
          'RPC batch: post/update',
          'RPC batch: user/update posts.connect',
          'RPC batch: comment/update post.connect',
        ]),
      );
      expect(await database.prisma.post.count()).toBe(12);
    },
    120_000,
  );

  it('that it could prove nothing', async () => {
    await expect(surfacesOf({ ...DRAFT, reader: { 'X-User-Id': '2' } }, { rules: RULES })).rejects.toThrow(/The 'reader' was answered 404/);
    await expect(surfacesOf({ ...DRAFT, row: { title: 'Post 03' } }, { rules: RULES })).rejects.toThrow("'row' has no 'id'");
    await expect(surfacesOf({ ...DRAFT, model: 'Pots' }, { rules: RULES })).rejects.toThrow(TypeError);
  }, 120_000);
});

long.describe('assertNoLeak of a record reports a rule that is not enforced', () => {
  it.each([
    ['post', 'count', ['RPC post/count {}', 'RPC post/count'], /^RPC post\/count|filter\[id\]/],
    ['post', 'aggregate', ['RPC post/aggregate {"_count":true}'], /^RPC post\/aggregate/],
    ['post', 'groupBy', ['RPC post/groupBy {"by":["title"],"_count":true,"orderBy":{"title":"asc"}}'], /^RPC post\/groupBy/],
    [
      'post',
      'findUnique',
      ['REST GET /post/{id}', 'RPC post/findUnique', 'RPC batch: post/delete', 'RPC batch: user/update posts.connect'],
      /post/i,
    ],
    ['post', 'findMany', ['REST GET /post', 'REST GET /post?filter[id]', 'RPC post/findMany'], /post/],
    [
      'tag',
      'findMany',
      [
        'REST GET /tag?include=posts',
        'REST GET /tag?filter[posts]',
        'RPC tag/findMany _count posts',
        'RPC tag/findMany include posts',
        'RPC tag/findMany some posts',
        'RPC tag/findMany none posts',
        'RPC tag/findMany every posts',
      ],
      / (?:GET \/)?tag/,
    ],
  ])(
    'in %s.%s',
    async (model, operation, expected, all) => {
      const surfaces = await surfacesOf(DRAFT, { rules: RULES, getClient: () => forgetting(model, operation) });
      expect(expected.filter((surface) => !surfaces.includes(surface))).toEqual([]);
      expect(surfaces.filter((surface) => !all.test(surface))).toEqual([]);
    },
    120_000,
  );
});
