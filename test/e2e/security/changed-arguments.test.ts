import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

/** Changes every object, list, date and text of arguments, at any depth. */
function spoil(value: unknown): void {
  if (value instanceof Date) value.setFullYear(1900);
  else if (value instanceof Uint8Array) value.fill(0);
  else if (Array.isArray(value)) value.splice(0, value.length, ...(value.every((item) => typeof item === 'number') ? [-1] : value));
  else if (typeof value === 'object' && value !== null) spoilMembers(value);
}

function spoilMembers(value: object): void {
  Object.values(value).forEach(spoil);
  if ('title' in value && value.title === true) Reflect.set(value, 'content', true);
  if ('gte' in value || 'in' in value) Reflect.set(value, 'equals', null);
}

const READS: readonly (readonly [operation: string, args: object])[] = [
  [
    'post/findMany',
    { where: { publishedAt: { gte: '2000-01-01T00:00:00.000Z' }, id: { in: [1, 2, 3] } }, select: { id: true, title: true } },
  ],
  ['post/findMany', { where: { metadata: { equals: { a: [1] } } }, orderBy: [{ title: 'asc' }, { id: 'desc' }], distinct: ['title'] }],
  [
    'user/findMany',
    { include: { posts: { where: { publishedAt: { gte: '2000-01-01T00:00:00.000Z' } }, select: { id: true, title: true } } } },
  ],
  ['post/groupBy', { by: ['authorId'], having: { id: { _max: { in: [1, 2, 3] } } }, _count: true, orderBy: { authorId: 'asc' } }],
  ['specimen/findMany', { where: { dateTime: { gte: '2000-01-01T00:00:00.000Z' }, bytes: { in: ['AAECAw=='] } }, select: { id: true } }],
];

const PATHS = [
  '/post?filter[publishedAt$gte]=2000-01-01T00:00:00.000Z&filter[id$in]=1,2,3&fields[post]=title&sort=title',
  '/user?include=posts&fields[post]=title&includeFilter[posts][publishedAt$gte]=2000-01-01T00:00:00.000Z',
];

onPlatforms('a query extension that changes its arguments', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  let plain: TestApp;
  let isSpoiling = false;

  beforeAll(async () => {
    database = await openTestDatabase();
    const extended = database.prisma.$extends({
      query: {
        $allModels: {
          $allOperations: async ({ operation, args, query }) => {
            if (!isSpoiling) return query(args);
            spoil(args);
            // The changed arguments may make no sense.
            return query(args).catch(() => (operation === 'count' ? 0 : []));
          },
        },
      },
    });
    app = await startTestApp({ platform, options: { getClient: () => extended } });
    plain = await startTestApp({ platform, options: { getClient: () => database.prisma } });
  });
  afterAll(async () => {
    await app.close();
    await plain.close();
    await database.close();
  });

  it.each(READS)('changes no later request with the same query string: %s %j', async (operation, args) => {
    const expected = await plain.rpc.call(operation, args);
    expect(expected.status).toBe(200);
    isSpoiling = true;
    await app.rpc.call(operation, args);
    isSpoiling = false;
    expect((await app.rpc.call(operation, args)).text).toBe(expected.text);
  });

  it.each(PATHS)('changes no later request with the same query string: %s', async (path) => {
    const expected = await plain.rest.get(path);
    expect(expected.status).toBe(200);
    isSpoiling = true;
    await app.rest.get(path);
    isSpoiling = false;
    const { status, text } = await app.rest.get(path);
    expect([status, text]).toEqual([expected.status, expected.text]);
  });
});
