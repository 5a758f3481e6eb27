import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { onDatabases } from '../../support/databases/this-database.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

onPlatforms('RPC errors', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { resources: { Country: { actions: ['read'] } } } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('report a nested delete of an unrelated record as 404 "not related"', async () => {
    const { status, error } = await app.rpc.call('user/update', { where: { id: 1 }, data: { posts: { delete: { id: 999_999 } } } });
    expect([status, error.message]).toEqual([404, expect.stringContaining('not related')]);
  });

  it.each([
    [{ by: ['authorId'], having: { OR: [] } }],
    [{ by: ['published'], having: { OR: [] } }],
    [{ by: ['authorId', 'published'], having: { NOT: [{ AND: [] }, { OR: [] }], OR: [] }, _count: true }],
  ])('are not the result of a having with an empty OR, which matches no group: %j', async (args) => {
    const { status, data } = await app.rpc.call('post/groupBy', args);
    expect([status, data]).toEqual([200, []]);
  });

  it.each<[string, unknown, number, string]>([
    ['pots/findMany', {}, 400, "There is no model 'pots'. Did you mean 'post'?"],
    ['apiToken/findMany', {}, 400, "There is no model 'apiToken'."],
    ['post/findAll', {}, 400, "There is no operation 'findAll'."],
    ['post/findMany', { where: { titel: 'x' } }, 400, "Unknown argument where.titel. Did you mean 'title'?"],
    ['post/findMany', { where: { author: { is: { emial: 'x' } } } }, 400, "Unknown argument where.author.is.emial. Did you mean 'email'?"],
    ['user/findMany', { where: { passwordHash: { startsWith: '$2b' } } }, 400, 'Unknown argument where.passwordHash.'],
    ['post/findMany', { cursor: { id: 1, AND: [] } }, 400, 'Unknown argument cursor.AND.'],
    ['post/findMany', { cursor: { id: 1, title: { gt: '' } } }, 400, 'Unknown argument cursor.title.'],
    [
      'user/findMany',
      { include: { posts: { cursor: { id: 1, title: { gt: '' } } } } },
      400,
      'Unknown argument include.posts.cursor.title.',
    ],
    ...onDatabases('postgresql').rows<[string, unknown, number, string]>([
      ['post/groupBy', { by: ['keywords'], having: { keywords: { has: 'a' } } }, 400, 'Unknown argument having.keywords.has.'],
    ]),
    ['post/findFirst', { take: 2 }, 400, 'take must be 1, or -1 for the last record: the operation returns one.'],
    ['post/findFirstOrThrow', { take: 0 }, 400, 'take must be 1, or -1 for the last record: the operation returns one.'],
    ['post/findMany', { take: 20_000 }, 400, 'take asks for more rows than limits.maxTake allows: 10000.'],
    ['post/deleteMany', undefined, 400, 'where is missing; write {} to mean all records.'],
    ['post/updateMany', { data: {} }, 400, 'where is missing; write {} to mean all records.'],
    ['post/update', { where: { id: 1 }, data: { authorId: { increment: 1 } } }, 400, 'Unknown argument data.authorId.increment.'],
    ['tag/create', { data: {} }, 400, 'data.name is missing: Tag needs it.'],
    ['tag/createMany', { data: [{ name: 'new' }, {}] }, 400, 'data.1.name is missing: Tag needs it.'],
    ['tag/upsert', { where: { id: 1 }, create: {}, update: {} }, 400, 'create.name is missing: Tag needs it.'],
    ['post/create', { data: { title: 'x' } }, 400, "data.author is missing: Post needs it, or its foreign key 'authorId'."],
    ['post/create', { data: { title: 'x', category: { connect: { id: 1 } } } }, 400, 'data.author is missing: Post needs it.'],
    ['user/update', { where: { id: 1 }, data: { posts: { create: {} } } }, 400, 'data.posts.create.title is missing: Post needs it.'],
    [
      'user/update',
      { where: { id: 1 }, data: { posts: { createMany: { data: [{ title: 'x', authorId: 1 }] } } } },
      400,
      "data.posts.createMany.data.0.authorId is filled by the relation 'posts' that the record is written through.",
    ],
    [
      'post/update',
      { where: { id: 1 }, data: { author: { update: { posts: { connect: { id: 2 } } } } } },
      400,
      "data.author.update.posts is filled by the relation 'author' that the record is written through.",
    ],
    [
      'post/create',
      { data: { title: 'x', authorId: 1, author: { connect: { id: 1 } } } },
      400,
      "data.authorId is a foreign key, which Prisma does not take beside a relation like 'author': give foreign keys or relations, not both.",
    ],
    [
      'post/update',
      { where: { id: 1 }, data: { authorId: 1, category: { connect: { id: 1 } } } },
      400,
      "data.authorId is a foreign key, which Prisma does not take beside a relation like 'category': give foreign keys or relations, not both.",
    ],
    [
      'user/update',
      {
        where: { id: 1 },
        data: {
          posts: {
            create: [
              { title: 'x', categoryId: 1 },
              { title: 'y', category: { connect: { id: 1 } } },
            ],
          },
        },
      },
      400,
      "data.posts.create.0.categoryId is a foreign key, which Prisma does not take in a list with a relation like 'category': give foreign keys or relations, not both.",
    ],
    ['post/findMany', { select: {} }, 400, 'select must leave at least one field to select.'],
    [
      'post/findMany',
      { include: { author: { select: { id: false } } } },
      400,
      'include.author.select must leave at least one field to select.',
    ],
    ['tag/findMany', { omit: { id: true, name: true } }, 400, 'omit must leave at least one field to select.'],
    [
      'post/findMany',
      { select: { id: true, _count: { select: {} } } },
      400,
      'select._count.select must name at least one relation to count.',
    ],
    ['post/findMany', { orderBy: { tags: {} } }, 400, 'orderBy.tags must name what to sort by.'],
    ['post/count', { select: { id: false } }, 400, 'select must name at least one field.'],
    ...onDatabases('postgresql', 'sqlite').rows<[string, unknown, number, string]>([
      [
        'post/createManyAndReturn',
        { data: { title: 'x', authorId: 1 }, include: { author: true, _count: true } },
        400,
        'include._count is not returned by a write of many records.',
      ],
      [
        'post/updateManyAndReturn',
        { where: {}, data: { title: 'x' }, select: { id: true, comments: true } },
        400,
        'select.comments is not returned by a write of many records.',
      ],
      [
        'post/updateManyAndReturn',
        { where: {}, data: {}, include: { author: true } },
        400,
        'data must change a field where relations are returned.',
      ],
    ]),
    ...onDatabases('postgresql').rows<[string, unknown, number, string]>([
      [
        'post/findMany',
        { where: { title: { not: { contains: 'x', mode: 'insensitive' } } } },
        400,
        'where.title.not.mode stands beside the outer operators: it is for those within, too.',
      ],
    ]),
    ['post/groupBy', { by: ['authorId'], having: { title: { _min: 'x' } } }, 400, 'having.title._min must be an object.'],
    ['post/aggregate', {}, 400, 'post.aggregate needs at least one of _count, _avg, _sum, _min, _max.'],
    ['post/aggregate', { _count: false }, 400, '_count must be an object.'],
    ['post/groupBy', { by: ['authorId'], _avg: {} }, 400, '_avg must name at least one field.'],
    ['post/groupBy', { by: ['authorId'], orderBy: { _count: {} } }, 400, 'orderBy._count must name what to sort by.'],
    ...[{ title: 'x' }, { title: { not: { equals: 'x', _count: { gt: 1 } } } }, { title: { _count: { gt: 1 }, contains: 'x' } }].map(
      (having): [string, unknown, number, string] => [
        'post/groupBy',
        { by: ['authorId'], having },
        400,
        "having.title is not among the fields of 'by': only those and aggregates have a value for each group.",
      ],
    ),
    [
      'post/groupBy',
      { by: 'authorId', having: { OR: [{ authorId: 1 }, { title: 'x' }] } },
      400,
      "having.OR.title is not among the fields of 'by': only those and aggregates have a value for each group.",
    ],
    [
      'post/groupBy',
      { by: ['authorId'], orderBy: [{ authorId: 'asc' }, { title: 'asc' }] },
      400,
      "orderBy.title is not among the fields of 'by': only those and aggregates have a value for each group.",
    ],
    ['country/create', { data: { code: 'AT', name: 'Austria' } }, 403, 'country.create: Country is closed to create.'],
    ['country/delete', { where: { code: 'NL' } }, 403, 'country.delete: Country is closed to delete.'],
  ])('reject %s %j with %i before any SQL', async (operation, args, status, message) => {
    const response = await app.rpc.call(operation, args);
    expect([response.status, { ...response.error, problems: undefined }]).toEqual([status, { message }]);
    expect(database.statements.all).toEqual([]);
  });

  it.each<[string, unknown, number, object]>([
    ['tag/create', { data: { name: 'nest' } }, 400, { orm: true, code: 'P2002', reason: 'unique-conflict' }],
    ['category/delete', { where: { id: 1 } }, 400, { orm: true }],
    ['tag/update', { where: { id: 99 }, data: {} }, 404, { orm: true, code: 'P2025' }],
    ['tag/delete', { where: { id: 99 } }, 404, { orm: true, code: 'P2025' }],
    ['tag/findUniqueOrThrow', { where: { id: 99 } }, 404, { orm: true, code: 'P2025' }],
    ['tag/findFirstOrThrow', { where: { id: 99 } }, 404, { orm: true, code: 'P2025' }],
    ['post/update', { where: { id: 1 }, data: { author: { connect: { id: 99 } } } }, 404, { orm: true, code: 'P2025' }],
  ])('answer %s %j, which fails in the data layer, with %i', async (operation, args, status, members) => {
    const response = await app.rpc.call(operation, args);
    expect(response.status).toBe(status);
    expect(response.error).toMatchObject(members);
    expect(response.error.message).not.toMatch(/\n|prisma\.|node_modules|invocation|SELECT|INSERT/);
  });

  // If no default sets a hidden required field, it is a fault of the application, not of the client.
  it.each<[string, unknown, number]>([
    ['user/create', { data: { email: 'x@example.com', name: 'X' } }, 500],
    ['user/createMany', { data: [{ email: 'x@example.com', name: 'X' }] }, 500],
    ['profile/create', { data: { user: { create: { email: 'x@example.com', name: 'X' } } } }, 500],
    ['user/findUnique', { where: { name: 'X' } }, 400],
  ])('%s %j names no hidden field in its error', async (operation, args, status) => {
    const response = await app.rpc.call(operation, args);
    expect(response.status).toBe(status);
    expect(response.text).not.toMatch(/passwordHash|recoveryCode|tokens/);
  });

  it.each<[string, unknown, readonly string[] | undefined]>([
    ['tag/create', { data: { name: 'nest' } }, ['name']],
    ['tag/update', { where: { id: 1 }, data: { name: 'nest' } }, ['name']],
    ['tag/createMany', { data: [{ name: 'new' }, { name: 'nest' }] }, ['name']],
    ['warehouse/create', { data: { name: 'Basel', countryCode: 'CH' } }, ['countryCode', 'name']],
  ])('%s %j names the fields whose constraint it broke', async (operation, args, fields) => {
    const response = await app.rpc.call(operation, args);
    expect([response.status, response.error]).toMatchObject([400, { fields }]);
  });

  it('name no fields for a unique conflict in a nested write, whose model is unknown', async () => {
    const data = { title: 'x', authorId: 1, tags: { create: [{ name: 'nest' }] } };
    const { error } = await app.rpc.call('post/create', { data });
    expect(error).toMatchObject({ orm: true, code: 'P2002' });
    // node-postgres returns the constraint of the tags.
    expect(error).not.toHaveProperty('fields');
  });

  it('name the fields of a unique conflict in a batch, with the index of the operation', async () => {
    const operations = [
      { model: 'post', op: 'count' },
      { model: 'tag', op: 'create', args: { data: { name: 'nest' } } },
    ];
    const { error } = await app.rpc.sequential(operations);
    expect(error).toMatchObject({ message: expect.stringMatching(/^operations\[1\]: /), fields: ['name'] });
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'reject %s for an operation of another method, and name the right one',
    async (method) => {
      const own: Record<string, readonly string[]> = { findMany: ['GET'], create: ['POST'], update: ['PATCH', 'PUT'], delete: ['DELETE'] };
      for (const [operation, verbs] of Object.entries(own)) {
        if (verbs.includes(method)) continue;
        const response = await app.rpc.send({ method, path: `/tag/${operation}` });
        expect([response.status, response.error]).toEqual([
          400,
          { message: `${operation} is called by ${verbs.join(' or ')}, not by ${method}.` },
        ]);
      }
      expect(database.statements.all).toEqual([]);
    },
  );

  it.each<[string, Record<string, string>, string, number]>([
    ['text/plain', { 'Content-Type': 'text/plain' }, '{"data":{"name":"x"}}', 415],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'data[name]=x', 415],
    ['JSON:API', { 'Content-Type': 'application/vnd.api+json' }, '{"data":{"name":"x"}}', 415],
    ['broken JSON', { 'Content-Type': 'application/json' }, '{"data":', 400],
    ['nothing', { 'Content-Type': 'application/json' }, '', 400],
    ['a list', { 'Content-Type': 'application/json' }, '[]', 400],
  ])('reject a body of %s', async (_, headers, body, status) => {
    const response = await app.rpc.send({ method: 'POST', path: '/tag/create', headers, body });
    expect(response.status).toBe(status);
    expect(response.error.message).toMatch(/\.$/);
    expect(database.statements.all).toEqual([]);
  });
});

onPlatforms('RPC errors about hidden fields', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { resources: { Warehouse: { fields: { country: 'hidden' } } } } });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('name the other fields of the constraint', async () => {
    const response = await app.rpc.call('warehouse/update', { where: { id: 'wh-central' }, data: { name: 'Basel' } });
    expect(response.error).toMatchObject({ code: 'P2002', fields: ['name'] });
    expect(response.text).not.toMatch(/country/i);
  });
});
