import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { ResourceApiOptions } from 'nestjs-resource-api';
import { runSnippet, snippetsOf } from '../../docs/page-snippets.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const [authors = ''] = snippetsOf('docs/faq.md');

interface CallerRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  callerId?: number;
}

class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const id = request.headers['x-user-id'];
    if (id !== undefined) request.callerId = Number(id);
    return true;
  }
}

onPlatforms('the recipe for the current user as author', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openTestDatabase();
    const forRoot = (options: Partial<ResourceApiOptions>): typeof options => options;
    const code = authors.replace('ResourceApiModule', 'const options = ResourceApiModule');
    const { resources } = runSnippet(code, { ResourceApiModule: { forRoot } }, 'options') as Required<ResourceApiOptions>;
    app = await startTestApp({ platform, database, options: { resources, guards: [CallerGuard] } });
    app.agent.set('X-User-Id', '5');
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const commentsOf = (authorId: number | null, body: string): Promise<number> =>
    database.prisma.comment.count({ where: { authorId, body } });

  it('sets the author of a record with another required relation, in REST', async () => {
    const relationships = { post: { data: { type: 'post', id: 1 } } };
    const created = await app.rest.post('/comment', { data: { type: 'comment', attributes: { body: 'new' }, relationships } });
    expect([created.status, created.one.attributes['authorId']]).toEqual([201, 5]);
    const byKey = await app.rest.post('/comment', { data: { type: 'comment', attributes: { body: 'new', postId: 2 } } });
    expect([byKey.status, byKey.one.attributes['authorId']]).toEqual([201, 5]);
    expect(await commentsOf(5, 'new')).toBe(2);
  });

  it.each([
    ['create', { data: { body: 'new', postId: 1 } }, 1],
    ['create', { data: { body: 'new', post: { connect: { id: 1 } } } }, 1],
    ['createMany', { data: { body: 'new', postId: 1 } }, 1],
    [
      'createMany',
      {
        data: [
          { body: 'new', postId: 1 },
          { body: 'new', postId: 2 },
        ],
      },
      2,
    ],
    [
      'createManyAndReturn',
      {
        data: [
          { body: 'new', postId: 1 },
          { body: 'new', postId: 2 },
        ],
      },
      2,
    ],
    ['upsert', { where: { id: 0 }, create: { body: 'new', postId: 1 }, update: {} }, 1],
    ['upsert', { where: { id: 0 }, create: { body: 'new', post: { connect: { id: 1 } } }, update: {} }, 1],
  ])('sets the author in RPC: %s %j', async (operation, args, rows) => {
    const { status } = await app.rpc.call(`comment/${operation}`, args);
    expect(status).toBe(operation === 'upsert' ? 200 : 201);
    expect(await commentsOf(5, 'new')).toBe(rows);
  });

  it('sets the author of nested records', async () => {
    const nested = await app.rpc.call('post/update', { where: { id: 1 }, data: { comments: { create: { body: 'new' } } } });
    expect(nested.status).toBe(200);
    expect(await commentsOf(5, 'new')).toBe(1);
  });

  it('sets the author of all records of a batch, and a failing batch stores none', async () => {
    const create = { model: 'comment', op: 'create', args: { data: { body: 'new', postId: 1 } } };
    const many = { model: 'comment', op: 'createMany', args: { data: [{ body: 'new', postId: 2 }] } };
    expect((await app.rpc.sequential([create, many])).status).toBe(200);
    expect(await commentsOf(5, 'new')).toBe(2);
    const failing = { model: 'comment', op: 'update', args: { where: { id: 0 }, data: { body: 'x' } } };
    expect((await app.rpc.sequential([create, failing])).status).toBe(404);
    expect(await database.prisma.comment.count({ where: { body: 'new' } })).toBe(2);
  });

  it('rejects another author in REST, in RPC and in nested writes', async () => {
    const attributes = { body: 'new', postId: 1, authorId: 2 };
    const refused = [
      await app.rest.post('/comment', { data: { type: 'comment', attributes } }),
      await app.rpc.call('comment/create', { data: attributes }),
      await app.rpc.call('comment/update', { where: { id: 1 }, data: { authorId: 2 } }),
      await app.rpc.call('user/update', { where: { id: 2 }, data: { comments: { create: { body: 'new', postId: 1 } } } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(await database.prisma.comment.count({ where: { body: 'new' } })).toBe(0);
  });
});
