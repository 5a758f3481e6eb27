import type { ExecutionContext } from '@nestjs/common';
import { granted, resourceOperation } from '../../../lib/index.js';
import { AppSuite, type SuiteSetup } from '../../support/app-suite.js';
import { guardingModule, NotingGuard } from '../../support/noting-guard.js';
import { onPlatforms, ENDPOINT } from '../../support/test-app.js';
import { operationsOf, sendOperations } from '../rest/operations-suite.js';

/** Each touch as `Model action: fields`. */
type Touches = readonly string[] | undefined;

function touchesOf(context: ExecutionContext): Touches {
  const operation = resourceOperation(context);
  return operation?.touches?.map(({ model, action, fields }) => `${model} ${action}: ${[...fields].sort().join(' ')}`);
}

const guard = new NotingGuard(touchesOf);
const globalGuard = new NotingGuard(touchesOf);

const SETUP: SuiteSetup = {
  imports: [guardingModule(globalGuard)],
  options: {
    guards: [guard],
    rest: { operations: true },
    grants: { staff: () => false },
    resources: { User: { fields: { role: { read: granted('staff') } } } },
  },
};

onPlatforms('the touches of an operation', (platform) => {
  const suite = new AppSuite<undefined>(platform, () => SETUP, undefined);
  beforeEach(() => {
    guard.reset();
    globalGuard.reset();
  });

  /** Returns the touches of one call by RPC. */
  async function byRpc(path: string, args: object): Promise<Touches> {
    const { status, text } = await suite.app.rpc.call(path, args);
    expect([status < 300, text]).toEqual([true, text]);
    return guard.seen.at(-1);
  }

  /** Returns the touches of one request to REST. */
  async function byRest(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Touches> {
    const { status, text } = await suite.app.rest.request(method, path, body === undefined ? {} : { body });
    expect([status < 300, text]).toEqual([true, text]);
    return guard.seen.at(-1);
  }

  const ID = { select: { id: true } };

  it.each<readonly [operation: string, args: object, touches: readonly string[]]>([
    [
      'post/create',
      {
        data: { title: 'x', author: { connect: { id: 1 } }, tags: { create: { name: 'new' } }, comments: { create: { body: 'b' } } },
        ...ID,
      },
      ['Post create: author authorId comments tags title', 'User read: id', 'Tag create: name', 'Comment create: body', 'Post read: id'],
    ],
    [
      'post/create',
      { data: { title: 'x', authorId: 1, reviewerId: 2 }, ...ID },
      ['Post create: authorId reviewerId title', 'User read: id', 'Post read: id'],
    ],
    [
      'tag/upsert',
      { where: { id: 1 }, create: { name: 'x' }, update: { name: 'y' }, ...ID },
      ['Tag create: name', 'Tag update: name', 'Tag read: id'],
    ],
    [
      'user/update',
      {
        where: { id: 1 },
        data: {
          posts: {
            update: { where: { id: 1, title: { not: 'x' } }, data: { comments: { deleteMany: { body: { contains: 'x' } } } } },
            connect: { id: 2 },
          },
        },
        ...ID,
      },
      [
        'User update: posts',
        'Post update: authorId comments',
        'Comment delete: ',
        'Comment read: body',
        'Post read: id title',
        'User read: id',
      ],
    ],
    [
      'post/update',
      {
        where: { id: 1 },
        data: {
          category: { upsert: { create: { slug: 'x', name: 'x' }, update: { name: 'y' } } },
          tags: { set: [], connectOrCreate: { where: { name: 'a' }, create: { name: 'a' } } },
        },
        ...ID,
      },
      [
        'Post update: category categoryId tags',
        'Category create: name slug',
        'Category update: name',
        'Tag read: name',
        'Tag create: name',
        'Post read: id',
      ],
    ],
    [
      'comment/updateMany',
      { where: { post: { title: 'x' } }, data: { body: 'x' } },
      ['Comment update: body', 'Comment read: post', 'Post read: title'],
    ],
    ['comment/deleteMany', { where: { id: 1 } }, ['Comment delete: ', 'Comment read: id']],
    ['tag/createMany', { data: [] }, ['Tag create: ']],
    ['tag/createMany', { data: [{ name: 'b' }, { name: 'c' }], skipDuplicates: true }, ['Tag create: name']],
    [
      'post/findMany',
      {
        where: { comments: { some: { author: { name: 'x' } } }, OR: [{ title: 'x' }, { NOT: { viewCount: 1 } }] },
        orderBy: [{ category: { name: 'asc' } }, { tags: { _count: 'asc' } }],
        cursor: { id: 1 },
        distinct: ['content'],
        select: { rating: true, reviewer: { select: { name: true } }, _count: { select: { tags: true } } },
      },
      [
        'Post read: category comments content id rating reviewer tags title viewCount',
        'Comment read: author',
        'User read: name',
        'Category read: name',
        'Tag read: ',
      ],
    ],
    ['post/aggregate', { where: { published: true }, _sum: { viewCount: true } }, ['Post read: published viewCount']],
    [
      'post/groupBy',
      { by: ['authorId'], _max: { rating: true }, having: { viewCount: { _avg: { gt: 1 } } } },
      ['Post read: authorId rating viewCount'],
    ],
    ['tag/count', {}, ['Tag read: ']],
    ['comment/delete', { where: { id: 4 }, ...ID }, ['Comment delete: ', 'Comment read: id']],
  ])('list all models, actions and fields of %s by RPC: %j', async (operation, args, touches) => {
    expect(await byRpc(operation, args)).toEqual(touches);
  });

  const TAG = ['Tag read: id name'];
  const upsert = { data: { type: 'tag', attributes: { name: 'x' } }, meta: { operation: 'upsert', matchFields: ['name'] } };

  it.each<readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown, touches: readonly string[]]>([
    ['POST', '/tag', { data: { type: 'tag', attributes: { name: 'x' } } }, ['Tag create: name', ...TAG]],
    ['POST', '/tag', upsert, ['Tag create: name', 'Tag update: name', ...TAG]],
    ['DELETE', '/comment/1', undefined, ['Comment delete: ', 'Comment read: id']],
    [
      'GET',
      '/tag?filter[posts][author][name]=x&fields[tag]=name',
      undefined,
      ['Tag read: id name posts', 'Post read: author', 'User read: name'],
    ],
    [
      'GET',
      '/tag/1/posts?fields[post]=title,category&include=category&fields[category]=slug',
      undefined,
      expect.arrayContaining(['Category read: id slug']) as never,
    ],
    [
      'PATCH',
      '/post/1?fields[post]=title',
      {
        data: {
          type: 'post',
          id: 1,
          relationships: { author: { data: { type: 'user', id: 2 } }, tags: { data: [{ type: 'tag', id: 1 }] } },
        },
      },
      ['Post update: authorId tags', 'User read: id', 'Tag read: id', 'Post read: id title'],
    ],
    [
      'POST',
      '/user/1/relationships/posts',
      { data: [{ type: 'post', id: 2 }] },
      expect.arrayContaining(['User update: posts', 'Post update: authorId']) as never,
    ],
  ])('list all models, actions and fields of %s %s by REST', async (method, path, body, touches) => {
    expect(await byRest(method, path, body)).toEqual(touches);
  });

  it('are the same for every cursor page', async () => {
    const first = await suite.app.rest.get('/post?sort=author.name,-title&page[size]=2&fields[post]=title');
    await suite.app.rest.get(String(first.document.links?.['next']).slice(ENDPOINT.length));
    expect(guard.seen).toHaveLength(2);
    expect(guard.seen[0]).toEqual(expect.arrayContaining(['User read: name']));
    expect(guard.seen[1]).toEqual(guard.seen[0]);
  });

  it('of a batch are passed per operation, and all together to a global guard', async () => {
    await suite.app.rpc.sequential([
      { model: 'tag', op: 'create', args: { data: { name: 'x' }, select: { id: true } } },
      { model: 'user', op: 'update', args: { where: { id: 1 }, data: { posts: { deleteMany: {} } }, select: { id: true } } },
    ]);
    expect(guard.seen).toEqual([
      ['Tag create: name', 'Tag read: id'],
      ['User update: posts', 'Post delete: ', 'User read: id'],
    ]);
    expect(globalGuard.seen).toEqual([['Tag create: name', 'Tag read: id', 'User update: posts', 'Post delete: ', 'User read: id']]);
  });

  it('of atomic operations are passed per operation, also with local ids', async () => {
    const { status } = await sendOperations(
      suite.app,
      operationsOf(
        { op: 'add', data: { type: 'tag', lid: 't', attributes: { name: 'x' } }, meta: upsert.meta },
        { op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [{ type: 'tag', lid: 't' }] },
      ),
    );
    expect([status, guard.seen]).toEqual([
      200,
      [
        ['Tag create: name', 'Tag update: name', ...TAG],
        ['Post update: tags', 'Tag read: id', 'Post read: id'],
      ],
    ]);
    expect(globalGuard.seen).toEqual([[...(guard.seen[0] ?? []).slice(0, 2), 'Tag read: id name', 'Post update: tags', 'Post read: id']]);
  });

  it('let a guard reject a nested write before any SQL', async () => {
    guard.allows = (context) =>
      resourceOperation(context)?.touches?.some(({ model, action }) => model === 'Post' && action === 'delete') !== true;
    const hidden = { where: { id: 1 }, data: { posts: { deleteMany: {} } } };
    expect((await suite.app.rpc.call('user/update', hidden)).status).toBe(403);
    expect(
      (
        await suite.app.rpc.sequential([
          { model: 'tag', op: 'findMany' },
          { model: 'user', op: 'update', args: hidden },
        ])
      ).status,
    ).toBe(403);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('are undefined for a request that cannot be parsed', async () => {
    expect((await suite.app.rpc.call('post/create', { data: { titel: 'x' } })).status).toBe(400);
    expect((await suite.app.rpc.call('nothing/findMany')).status).toBe(400);
    expect((await suite.app.rest.get('/post?filter[nothing]=1')).status).toBe(400);
    expect((await suite.app.rest.post('/tag', '[')).status).toBe(400);
    expect((await suite.app.rest.request('PATCH', '/tag')).status).toBe(405);
    expect((await sendOperations(suite.app, operationsOf({ op: 'remove', href: '/tag/1' }, { op: 'fly' }))).status).toBe(400);
    expect((await sendOperations(suite.app, '[')).status).toBe(400);
    expect(guard.seen.filter((touches) => touches !== undefined)).toEqual([]);
  });

  it('are passed before required values and costs are checked', async () => {
    expect((await suite.app.rest.post('/post', { data: { type: 'post', attributes: { title: 'x' } } })).status).toBe(400);
    expect(guard.seen.at(-1)?.[0]).toBe('Post create: title');
    const { status, text } = await suite.app.rpc.call('post/findMany', {
      where: { id: { in: Array.from({ length: 1000 }, (_, id) => id) } },
    });
    expect([status, text]).toEqual([400, expect.stringContaining('maxFilterTerms')]);
  });

  it('contain fields that need a grant', async () => {
    expect((await suite.app.rpc.call('user/findMany', { where: { role: 'ADMIN' } })).status).toBe(400);
    expect(guard.seen.at(-1)?.[0]).toMatch(/^User read: .*\brole\b/);
  });
});
