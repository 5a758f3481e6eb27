import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ConflictException, Logger } from '@nestjs/common';
import { createOpenApiDocument, type PlatformRequest, type ResourcesOption, type RulesOption } from '../../../lib/index.js';
import { z } from 'zod';
import { LogLines } from '../../support/log-lines.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { refusalOf } from '../rest/write-suite.js';

const caller = ({ headers }: PlatformRequest): number => Number(headers['x-user-id'] ?? 1);
const later = async (request: PlatformRequest): Promise<number> => {
  await new Promise((resolve) => setImmediate(resolve));
  return caller(request);
};

/** Faulty results of the function of the application, by the header that selects them. */
const FAULTS: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  text: () => 'abc',
  error: () => {
    throw new Error('No slug service.');
  },
  refusal: () => {
    throw new ConflictException('Out of slugs.');
  },
  database: () => {
    throw Object.assign(new Error('gone'), { name: 'PrismaClientKnownRequestError', code: 'P2025', clientVersion: '7' });
  },
};

const RESOURCES: ResourcesOption = {
  User: { fields: { passwordHash: { value: { create: () => 'set by the server' } } } },
  Post: { fields: { authorId: { value: { create: caller } }, reviewerId: { value: { create: () => null, update: later } } } },
  Comment: { fields: { authorId: { value: { create: caller, update: caller } } } },
  Category: { fields: { slug: { value: { create: ({ headers }: PlatformRequest) => (FAULTS[String(headers['x-fault'])] ?? slug)() } } } },
  // Clients cannot write the slug.
  Tag: { validate: { create: z.object({ name: z.string() }) } },
};

let slugs = 0;
const slug = (): string => `slug-${++slugs}`;

const AS_2 = { headers: { 'x-user-id': '2' } };

onPlatforms('values of the server', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  const others: TestApp[] = [];
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { resources: RESOURCES } });
  });
  beforeEach(() => database.reset());
  afterEach(async () => {
    Logger.overrideLogger(false);
    await Promise.all(others.splice(0).map((other) => other.close()));
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const newest = (): Promise<object | null> =>
    database.prisma.post.findFirst({ orderBy: { id: 'desc' }, select: { authorId: true, reviewerId: true, categoryId: true } });
  const comments = (where: object): Promise<object[]> =>
    database.prisma.comment.findMany({ where, orderBy: { id: 'asc' }, select: { body: true, authorId: true } });

  async function another(options: Parameters<typeof startTestApp>[0]['options']): Promise<TestApp> {
    const started = await startTestApp({ platform, database, options: { resources: RESOURCES, ...options } });
    others.push(started);
    return started;
  }

  const post = (attributes: object, more: object = {}): object => ({ data: { type: 'post', attributes, ...more } });
  const CATEGORY = { relationships: { category: { data: { type: 'category', id: 1 } } } };

  it('are not required in REST, and are set on create', async () => {
    const { status, one } = await app.rest.post('/post', post({ title: 'Mine' }), AS_2.headers);
    expect(status).toBe(201);
    expect(one.attributes).toMatchObject({ title: 'Mine', authorId: 2, reviewerId: null });
  });

  it('are set beside links of the document', async () => {
    expect((await app.rest.post('/post', post({ title: 'Mine' }, CATEGORY), AS_2.headers)).status).toBe(201);
    expect(await newest()).toEqual({ authorId: 2, reviewerId: null, categoryId: 1 });
  });

  it('are set by updates, also by empty ones, and by changes of relationships', async () => {
    const reviewer = async (): Promise<unknown> => (await database.prisma.post.findUnique({ where: { id: 1 } }))?.reviewerId;
    const update = { data: { type: 'post', id: 1, attributes: {} } };
    expect((await app.rest.patch('/post/1', update, AS_2.headers)).status).toBe(200);
    expect(await reviewer()).toBe(2);
    const link = { data: [{ type: 'tag', id: 1 }] };
    expect((await app.rest.post('/post/1/relationships/tags', link, { 'x-user-id': '3' })).status).toBe(200);
    expect(await reviewer()).toBe(3);
  });

  it('and their relations cannot be written in REST', async () => {
    expect(refusalOf(await app.rest.post('/post', post({ title: 'Not mine', authorId: 3 }), AS_2.headers))).toEqual([
      400,
      'invalid-payload /data/attributes/authorId',
    ]);
    const author = { relationships: { author: { data: { type: 'user', id: 3 } } } };
    expect(refusalOf(await app.rest.post('/post', post({ title: 'Not mine' }, author)))).toEqual([
      400,
      'invalid-payload /data/relationships/author',
    ]);
    const posts = { data: [{ type: 'post', id: 1 }] };
    expect((await app.rest.post('/user/3/relationships/posts', posts)).status).toBe(403);
  });

  it.each([
    ['itself', { data: { title: 'x', authorId: 3 } }],
    ['as its relation', { data: { title: 'x', author: { connect: { id: 3 } } } }],
    ['in a nested record', { data: { title: 'x', comments: { create: { body: 'y', authorId: 3 } } } }],
  ])('cannot be written in RPC: %s', async (_, args) => {
    const before = await database.prisma.post.count();
    expect((await app.rpc.call('post/create', args)).status).toBe(400);
    expect(await database.prisma.post.count()).toBe(before);
  });

  it('are set beside connect, create and disconnect, with which Prisma accepts no foreign keys', async () => {
    expect((await app.rpc.call('post/create', { data: { title: 'x', category: { connect: { id: 1 } } } }, AS_2)).status).toBe(201);
    expect(await newest()).toEqual({ authorId: 2, reviewerId: null, categoryId: 1 });
    const made = { title: 'y', category: { create: { name: 'New' } } };
    expect((await app.rpc.call('post/create', { data: made }, AS_2)).status).toBe(201);
    expect(await newest()).toMatchObject({ authorId: 2, reviewerId: null });
    const changes = { where: { id: 1 }, data: { category: { disconnect: true } } };
    expect((await app.rpc.call('post/update', changes, { headers: { 'x-user-id': '3' } })).status).toBe(200);
    expect(await database.prisma.post.findUnique({ where: { id: 1 } })).toMatchObject({ reviewerId: 3, categoryId: null });
  });

  it('are set in nested records of every verb', async () => {
    const nested = {
      create: [{ body: 'a' }, { body: 'b' }],
      createMany: { data: [{ body: 'c' }] },
      connectOrCreate: [{ where: { id: 10_000 }, create: { body: 'd' } }],
    };
    const created = await app.rpc.call('post/create', { data: { title: 'x', comments: nested } }, AS_2);
    expect(created.status).toBe(201);
    const { id } = created.data as { id: number };
    const bodies = (authorId: number, ...names: string[]): object[] => names.map((body) => ({ body, authorId }));
    const byBody = (rows: object[]): object[] => rows.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
    expect(byBody(await comments({ postId: id }))).toEqual(byBody(bodies(2, 'a', 'b', 'c', 'd')));

    const upserted = { where: { id: 10_000 }, create: { body: 'e' }, update: { body: 'never' } };
    const first = await database.prisma.comment.findFirstOrThrow({ where: { postId: id, body: 'a' } });
    const changed = { upsert: [upserted, { ...upserted, where: { id: first.id }, update: { body: 'f' } }] };
    const many = { updateMany: { where: { body: 'b' }, data: { body: 'g' } } };
    const data = { comments: { ...changed, ...many } };
    expect((await app.rpc.call('post/update', { where: { id }, data }, { headers: { 'x-user-id': '3' } })).status).toBe(200);
    const after = byBody([...bodies(2, 'c', 'd'), ...bodies(3, 'e', 'f', 'g')]);
    expect(byBody(await comments({ postId: id }))).toEqual(after);
  });

  it('are computed for each record of createManyAndReturn, and set by updateMany', async () => {
    const data = [{ name: 'One' }, { name: 'Two' }];
    const { status, data: made } = await app.rpc.call('category/createManyAndReturn', { data });
    expect(status).toBe(201);
    expect(new Set((made as { slug: string }[]).map((one) => one.slug)).size).toBe(2);
    expect((await app.rpc.call('post/updateMany', { where: { id: { in: [1, 2] } }, data: { viewCount: 1 } }, AS_2)).status).toBe(200);
    expect(await database.prisma.post.count({ where: { reviewerId: 2, id: { in: [1, 2] } } })).toBe(2);
  });

  it('are set by the create and the update of an upsert, in both styles', async () => {
    const args = (id: number): object => ({
      where: { id },
      create: { body: 'new', post: { connect: { id: 1 } } },
      update: { body: 'old' },
    });
    expect((await app.rpc.call('comment/upsert', args(10_000), AS_2)).data).toMatchObject({ body: 'new', authorId: 2 });
    expect((await app.rpc.call('comment/upsert', args(1), { headers: { 'x-user-id': '3' } })).data).toMatchObject({
      body: 'old',
      authorId: 3,
    });
    const email = 'upserted@example.com';
    const user = (name: string): object => ({
      data: { type: 'user', attributes: { email, name } },
      meta: { operation: 'upsert', matchFields: ['email'] },
    });
    expect((await app.rest.post('/user', user('A'))).status).toBe(201);
    expect((await app.rest.post('/user', user('B'))).status).toBe(200);
    expect(await database.prisma.user.findUnique({ where: { email } })).toMatchObject({ name: 'B', passwordHash: 'set by the server' });
  });

  it('are set in every operation of a batch', async () => {
    const create = (title: string): { model: string; op: string; args: object } => ({
      model: 'post',
      op: 'create',
      args: { data: { title } },
    });
    expect((await app.rpc.sequential([create('1'), create('2')], AS_2.headers)).status).toBe(200);
    expect(await database.prisma.post.count({ where: { title: { in: ['1', '2'] }, authorId: 2 } })).toBe(2);
  });

  it('replace values that a validator adds', async () => {
    const schema = z.object({ title: z.string() }).transform((data) => ({ ...data, authorId: 3 }));
    const Post = { ...(RESOURCES['Post'] as object), validate: { create: schema } };
    const { rpc } = await another({ resources: { ...RESOURCES, Post } });
    expect((await rpc.call('post/create', { data: { title: 'x' } }, AS_2)).data).toMatchObject({ authorId: 2 });
  });

  it('are set before the rules of create are enforced', async () => {
    const rules: RulesOption = {
      'Post': { 'create': (request: PlatformRequest) => ({ authorId: caller(request) }), '*': true },
      '*': true,
    };
    const { rpc, rest } = await another({ rules });
    expect((await rpc.call('post/create', { data: { title: 'x', category: { connect: { id: 1 } } } }, AS_2)).status).toBe(201);
    expect((await rest.post('/post', post({ title: 'y' }), AS_2.headers)).status).toBe(201);
    expect(await newest()).toMatchObject({ authorId: 2 });
  });

  it.each([
    ['nothing', 'gave undefined: expected String, or null where the field is optional.'],
    ['null', 'gave null: the field is required.'],
    ['error', 'threw: No slug service.'],
    ['database', 'threw: gone'],
  ])('make a write a 500 that is logged, and store nothing, if their function returns no valid value: %s', async (fault, problem) => {
    const log = new LogLines();
    Logger.overrideLogger(log);
    const headers = { 'x-fault': fault };
    expect((await app.rpc.call('category/create', { data: { name: 'x' } }, { headers })).status).toBe(500);
    const category = { data: { type: 'category', attributes: { name: 'x' } } };
    expect((await app.rest.post('/category', category, headers)).status).toBe(500);
    expect(log.errors).toHaveLength(2);
    for (const line of log.errors) expect(line).toContain(`resources.Category.fields.slug.value.create ${problem}`);
    expect(await database.prisma.category.count({ where: { name: 'x' } })).toBe(0);
  });

  it('make a write fail with the HttpException that their function throws', async () => {
    const headers = { 'x-fault': 'refusal' };
    const { status, error } = await app.rpc.call('category/create', { data: { name: 'x' } }, { headers });
    expect([status, error.message]).toEqual([409, 'Out of slugs.']);
  });

  it('are readOnly in the OpenAPI document, and missing from its request bodies', () => {
    const { schemas } = createOpenApiDocument(app.nest, { title: 'x', version: '1' }).components;
    const names = (mark: string): readonly string[] =>
      Object.entries(schemas).flatMap(([name, schema]) => (JSON.stringify(schema).includes(mark) ? [name] : []));
    // Both styles extend this schema.
    expect(names('"authorId":{"type":"integer","format":"int32","readOnly":true}')).toEqual(['PostAttributes']);
    expect(names('"#/components/schemas/PostAttributes"')).toEqual(expect.arrayContaining(['Post', 'PostResource']));
    expect(names('"authorId"').filter((name) => /(?:Create|Update)\w*Input|Document$|Request$/.test(name))).toEqual([]);
    expect(names('"categoryId"').filter((name) => /(?:Create|Update)\w*Input/.test(name))).not.toEqual([]);
  });
});
