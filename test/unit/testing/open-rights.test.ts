import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { long } from '../../support/long.js';
import { CODE, expectSurfaces, HASH, leaksOf, NOTHING, REVIEWER, surfacesOf } from './leak-suite.js';

/** Each test removes one check of the package, and expects exactly its leak to be reported. */

/** Each operator of RPC, and the operators of REST that need it. */
const OPERATORS = [
  ['equals', ['', '$ne']],
  ['in', ['$in', '$notIn']],
  ['lt', ['$lt']],
  ['startsWith', ['$startsWith', '$notStartsWith']],
  ['not', []],
  ['notIn', []],
  ['lte', ['$lte']],
  ['gt', ['$gt']],
  ['gte', ['$gte']],
  ['contains', ['$contains', '$icontains', '$notContains']],
  ['endsWith', ['$endsWith']],
] as const;

long.describe('assertNoLeak reports one right that is open', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  it('to read', async () => {
    const leaks = await leaksOf(HASH, { database, resources: { User: { fields: { passwordHash: { ...NOTHING, read: true } } } } });
    expectSurfaces(
      leaks,
      [
        'REST /user?fields[user]=passwordHash',
        'REST /user?page[limit]=5',
        'REST /post?page[limit]=5&include=author',
        'REST /post?include=author&fields[user]=passwordHash',
        'RPC user/findMany {"select":{"passwordHash":true}}',
        'RPC batch: user/findMany {"select":{"passwordHash":true}}',
        'RPC user/update {"omit":{"passwordHash":false}}',
        'RPC user/createManyAndReturn {"select":{"passwordHash":true}}',
        'RPC user/findMany distinct',
        'RPC user/groupBy by',
        'RPC user/count select',
        'RPC user/aggregate _max',
        'RPC user/groupBy _min',
        'RPC user/aggregate _count',
        'RPC post/findMany include author.select',
        'RPC post/findMany select author.select',
        'RPC post/findMany include author.omit',
        'RPC user/findMany by default',
        'RPC batch: user/findMany by default',
        'RPC post/findMany include author',
      ],
      /fields\[user\]|page\[limit\]=5(?:&include=\w+)?$|"select"|"omit"|select|omit|distinct|groupBy by|aggregate _|groupBy _|by default|empty omit|_count$|findMany include \w+$/,
    );
  });

  it('to filter', async () => {
    const leaks = await leaksOf(HASH, { database, resources: { User: { fields: { passwordHash: { ...NOTHING, filter: true } } } } });
    expectSurfaces(
      leaks,
      [
        'REST /user?filter[passwordHash]=assert-no-leak',
        'REST /user?filter[passwordHash$between]=assert-no-leak,assert-no-leak',
        'REST /user?filter[or][0][passwordHash]=assert-no-leak',
        'REST /user?filter[passwordHash][lt]=assert-no-leak',
        'REST /post?filter[author][passwordHash$startsWith]=assert-no-leak',
        'REST /profile?filter[user][passwordHash]=assert-no-leak',
        'RPC user/findMany where {"passwordHash":{"startsWith":"assert-no-leak"}}',
        'RPC user/findMany where {"OR":[{"passwordHash":"assert-no-leak"}]}',
        'RPC user/count where',
        'RPC user/groupBy having _max',
        'RPC user/findUnique where, beside a key',
        'RPC user/updateMany where, beside a key',
        'RPC post/findMany where {"passwordHash":{"endsWith":"assert-no-leak"}} over author',
        'RPC post/findMany where over author.isNot',
        'RPC post/update data.author.update',
      ],
      /filter|where|having|cursor, beside|data\.\w+\.(?:update|delete|disconnect)/,
    );
  });

  it('to sort', async () => {
    const leaks = await leaksOf(HASH, { database, resources: { User: { fields: { passwordHash: { ...NOTHING, sort: true } } } } });
    expectSurfaces(
      leaks,
      [
        'REST /user?sort=passwordHash',
        'REST /user?sort=-passwordHash',
        'REST /post?sort=author.passwordHash',
        'RPC user/findMany orderBy',
        'RPC user/findMany orderBy, in a list',
        'RPC batch: user/findMany orderBy',
        'RPC user/groupBy orderBy _max',
        'RPC post/findMany orderBy over author',
      ],
      /sort=|orderBy/,
    );
  });

  it.each(OPERATORS)('to filter by %s alone', async (operator, inRest) => {
    const leaks = await leaksOf(HASH, { database, resources: { User: { fields: { passwordHash: { ...NOTHING, filter: [operator] } } } } });
    const operand = /in$/i.test(operator) ? ['assert-no-leak'] : 'assert-no-leak';
    const condition = JSON.stringify({ passwordHash: { [operator]: operand } });
    expectSurfaces(
      leaks,
      [
        `RPC user/findMany where ${condition}`,
        `RPC batch: user/findMany where ${condition}`,
        `RPC post/findMany where ${condition} over author`,
        ...inRest.map((name) => `REST /user?filter[passwordHash${name}]=assert-no-leak`),
      ],
      /filter|where|having|cursor, beside|data\.\w+\./,
    );
  });

  it('to filter a unique field by its value, which addresses records', async () => {
    // A create needs the hash.
    const fields = { recoveryCode: { ...NOTHING, filter: ['equals'] }, passwordHash: { ...NOTHING, create: true } } as const;
    const leaks = await leaksOf(CODE, { database, resources: { User: { fields } } });
    const expected = [
      ...['findUnique', 'findUniqueOrThrow', 'delete', 'update'].map((operation) => `RPC user/${operation} where by recoveryCode`),
      'RPC user/findMany cursor by recoveryCode',
      'RPC batch: user/upsert where by recoveryCode',
      ...['connect', 'connectOrCreate'].flatMap((write) => [
        `RPC post/update data.author.${write} by recoveryCode`,
        `RPC batch: post/update data.author.${write} by recoveryCode`,
      ]),
      'REST upsert of user with matchFields recoveryCode',
    ];
    const surfaces = surfacesOf(leaks);
    expect(expected.filter((surface) => !surfaces.includes(surface))).toEqual([]);
  });

  it.each([
    ['read', ['REST /post?include=reviewer', 'RPC post/findMany include', 'RPC user/findMany include over posts']],
    [
      'filter',
      ['REST /post?filter[reviewer$null]=true', 'RPC post/findMany where {"reviewer":null}', 'RPC comment/findMany where over post'],
    ],
    ['sort', ['REST /post?sort=reviewer.id', 'RPC post/findMany orderBy', 'RPC comment/findMany orderBy over post']],
  ] as const)('to %s a relation', async (right, expected) => {
    const open = { ...NOTHING, read: right === 'read', filter: right === 'filter', sort: right === 'sort' };
    const leaks = await leaksOf(REVIEWER, {
      database,
      resources: { Post: { fields: { reviewer: open } }, User: { fields: { reviewedPosts: 'hidden' } } },
    });
    expect(surfacesOf(leaks)).toEqual(expect.arrayContaining([...expected]));
  });
});
