import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { onDatabases, THIS_DATABASE } from '../../support/databases/this-database.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { itByPrisma } from '../../support/sql-reads.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const MAX_TAKE = 3;

/** A call whose result has more than three rows, with its model and operation. Post 1 has two comments, user 1 four posts. */
type Call = readonly [operation: string, args: object];

const READS: readonly Call[] = [
  ['user/findMany', {}],
  ['user/findMany', { distinct: ['email'] }],
  ['user/groupBy', { by: ['email'] }],
  [
    'user/groupBy',
    { by: ['email', 'name'], having: { email: { contains: '@' } }, _count: { _all: true }, orderBy: { _max: { id: 'desc' } } },
  ],
  ['user/findUnique', { where: { id: 1 }, include: { posts: true } }],
  ['user/findUniqueOrThrow', { where: { id: 1 }, select: { posts: { select: { id: true } } } }],
  ['user/findFirst', { where: { id: 1 }, include: { posts: { distinct: ['title'] } } }],
  ['post/findFirstOrThrow', { where: { id: 1 }, select: { author: { select: { posts: { where: { id: { gt: 0 } } } } } } }],
  ['post/findMany', { take: 2, include: { comments: true } }],
  ['post/findMany', { take: 3, select: { author: { select: { name: true } }, category: { select: { name: true } } } }],
  ['tag/findMany', { take: 2, select: { posts: { select: { title: true } } } }],
  ['comment/findFirst', { distinct: ['authorId'] }],
  ['post/findMany', { take: 2, include: { comments: { take: 2 } } }],
  ['post/findUnique', { where: { id: 1 }, include: { comments: true, tags: { include: { posts: true } } } }],
];

/** Prisma loads these lists as a whole, and truncates them itself. In SQL, the statement has a limit. */
const CUT_BY_PRISMA: readonly Call[] = [
  ['user/findFirst', { where: { id: 1 }, include: { posts: { take: 1 } } }],
  ['user/findUnique', { where: { id: 1 }, select: { posts: { take: 1, select: { comments: { take: 1 }, tags: { take: 1 } } } } }],
];

const WRITES: readonly Call[] = [
  ['post/create', { data: { title: 'New', authorId: 1 }, select: { author: { select: { posts: true } } } }],
  ['post/createManyAndReturn', { data: [{ title: 'New', authorId: 1 }], include: { author: { include: { posts: true } } } }],
  ['user/update', { where: { id: 1 }, data: { name: 'New' }, include: { posts: true } }],
  ['user/updateManyAndReturn', { where: {}, data: { name: 'New' } }],
  ['post/updateManyAndReturn', { where: { id: 1 }, data: { title: 'New' }, include: { author: { include: { posts: true } } } }],
  [
    'post/upsert',
    { where: { id: 1 }, create: { title: 'New', authorId: 1 }, update: { title: 'New' }, include: { tags: true, comments: true } },
  ],
  ['post/delete', { where: { id: 1 }, include: { comments: true, tags: true } }],
];

/** Whether the database supports the operation. MariaDB returns no written rows. */
function isOffered([operation]: Call): boolean {
  return THIS_DATABASE !== 'mariadb' || !operation.endsWith('AndReturn');
}

onPlatforms('limits.maxTake in RPC results', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { limits: { maxTake: MAX_TAKE } } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  function sentence(operation: string): string {
    const argument = operation.endsWith('updateManyAndReturn') ? 'limit' : 'take';
    return `${operation.replace('/', '.')} found more rows than limits.maxTake allows: ${MAX_TAKE}. Ask for fewer with ${argument}.`;
  }

  /** Sends the call alone, and as the second operation of a batch. */
  async function requireRefusal(operation: string, args: object, message: string): Promise<void> {
    const alone = await app.rpc.call(operation, args);
    expect([alone.status, alone.error]).toEqual([400, { message }]);
    const [model = '', op = ''] = operation.split('/');
    const batch = await app.rpc.sequential([
      { model: 'tag', op: 'create', args: { data: { name: 'x' } } },
      { model, op, args },
    ]);
    expect([batch.status, batch.error]).toEqual([400, { message: `operations[1]: ${message}` }]);
  }

  async function content(): Promise<unknown> {
    const orderBy = { id: 'asc' } as const;
    const { user, post, comment, tag } = database.prisma;
    return [
      await user.findMany({ orderBy }),
      await post.findMany({ orderBy, include: { tags: { orderBy } } }),
      await comment.findMany({ orderBy }),
      await tag.findMany({ orderBy }),
    ];
  }

  it.each(READS)('rejects %s %j instead of truncating the result', (operation, args) =>
    requireRefusal(operation, args, sentence(operation)),
  );

  itByPrisma.each(CUT_BY_PRISMA)('rejects %s %j, whose lists Prisma would truncate', (operation, args) =>
    requireRefusal(operation, args, sentence(operation)),
  );

  it.each(WRITES.filter(isOffered))('rejects %s %j for the size of its result, and writes nothing', async (operation, args) => {
    const before = await content();
    await requireRefusal(operation, args, sentence(operation));
    expect(await content()).toEqual(before);
  });

  onDatabases('postgresql', 'sqlite').it.each<[string, object, string]>([
    ['user/updateManyAndReturn', { where: {}, data: { name: 'New' }, limit: 4 }, 'limit'],
    ['tag/createManyAndReturn', { data: ['a', 'b', 'c', 'd'].map((name) => ({ name })) }, 'data'],
  ])('rejects %s %j before any SQL, by its arguments', async (operation, args, path) => {
    const response = await app.rpc.call(operation, args);
    const fault = `asks for more rows than limits.maxTake allows: ${MAX_TAKE}.`;
    const problems = [{ path, message: fault, code: 'limit-exceeded' }];
    expect([response.status, response.error]).toEqual([400, { message: `${path} ${fault}`, problems }]);
    expect(database.statements.all).toEqual([]);
  });

  it.each<[string, object, unknown]>([
    ['user/findMany', { where: { id: { lte: 3 } }, select: { id: true } }, [{ id: 1 }, { id: 2 }, { id: 3 }]],
    ['user/groupBy', { by: ['role'], _count: { id: true } }, { length: 3 }],
    [
      'user/findUnique',
      { where: { id: 1 }, select: { posts: { take: 3, select: { id: true } } } },
      { posts: [{ id: 1 }, { id: 4 }, { id: 7 }] },
    ],
    ['post/findMany', { where: { id: 1 }, select: { comments: { select: { id: true } } } }, [{ comments: [{ id: 1 }, { id: 11 }] }]],
    // A selection of only the key needs no related row.
    ['post/findMany', { take: 3, select: { author: { select: { id: true } }, category: { select: { id: true } } } }, { length: 3 }],
    ['user/findUnique', { where: { id: 99 }, include: { posts: true } }, null],
    ...onDatabases('postgresql', 'sqlite').rows<[string, object, unknown]>([
      ['user/updateManyAndReturn', { where: { id: { lte: 3 } }, data: { name: 'New' }, select: { name: true } }, { length: 3 }],
      ['user/updateManyAndReturn', { where: {}, data: { name: 'New' }, limit: 3, select: { name: true } }, { length: 3 }],
    ]),
    ['user/updateMany', { where: {}, data: { name: 'New' } }, { count: 5 }],
  ])('allows %s %j', async (operation, args, result) => {
    const { data } = await app.rpc.call(operation, args);
    if (result === null) expect(data).toBeNull();
    else expect(data).toMatchObject(result as object);
  });

  itByPrisma.each<[string, object]>([
    ['tag/findMany', { include: { posts: true } }],
    ['user/findUnique', { where: { id: 1 }, include: { posts: { take: 2, include: { comments: true, tags: true } } } }],
    ['comment/findMany', { distinct: ['body'] }],
    ['post/update', { where: { id: 1 }, data: { viewCount: 1 }, include: { author: { include: { posts: true } } } }],
    ['post/delete', { where: { id: 1 }, include: { author: { include: { posts: true } } } }],
  ])('rejects %s %j by reading only keys and counts', async (operation, args) => {
    expect((await app.rpc.call(operation, args)).status).toBe(400);
    expect(database.statements.queries.length).toBeGreaterThan(0);
    expect(database.statements.queries.filter((query) => /"(title|body|email|name)"/.test(query))).toEqual([]);
  });

  itByPrisma('reads at most one row above the limit of a list of several rows, and then stops', async () => {
    const include = { posts: { include: { comments: true } } };
    expect((await app.rpc.call('user/findMany', { take: 3, include })).status).toBe(400);
    expect(database.statements.queries).toEqual([expect.stringContaining('User'), expect.stringMatching(/Post.* LIMIT /)]);
  });

  it('is applied to the sum of the rows of a batch', async () => {
    const find = (model: string, take: number) => ({ model, op: 'findMany', args: { take, select: { id: true } } });
    expect((await app.rpc.sequential([find('user', 2), find('tag', 1)])).status).toBe(200);
    const refused = await app.rpc.sequential([find('user', 2), find('tag', 2)]);
    expect([refused.status, refused.error]).toEqual([
      400,
      { message: 'operations[1]: The operations found more rows together than limits.maxTake allows: 3.' },
    ]);
  });

  itByPrisma('limits the statements for groups and for the list of one record to one row above it', async () => {
    await app.rpc.call('user/groupBy', { by: ['email'] });
    await app.rpc.call('user/findUnique', { where: { id: 1 }, include: { posts: true } });
    const [groups, , posts] = database.statements.queries;
    expect([groups, posts]).toEqual([expect.stringMatching(/ORDER BY .*\bemail. ASC LIMIT /), expect.stringMatching(/\bPost. .* LIMIT /)]);
  });

  onDatabases('postgresql', 'sqlite').it(
    'adds no subquery with LIMIT to an updateManyAndReturn, because two concurrent ones could update one row',
    async () => {
      await app.rpc.call('user/updateManyAndReturn', { where: { id: 1 }, data: { name: 'New' } });
      expect(database.statements.queries).toEqual([expect.not.stringMatching(/\b(?:IN \(SELECT|LIMIT)\b/)]);
    },
  );
});
