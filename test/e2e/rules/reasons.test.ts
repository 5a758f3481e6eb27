import { Module } from '@nestjs/common';
import { type ActionOf, defineRules, type PlatformRequest, reason, ResourceAction, ResourceActions } from '../../../lib/index.js';
import { LogLines } from '../../support/log-lines.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { type Caller, callerOf } from './rules-suite.js';
import { callerOf as idOf } from './rules.js';

const isOwn = (request: PlatformRequest) => ({ authorId: idOf(request) ?? -1 });

const RULES = defineRules<PrismaClient, PlatformRequest>()({
  'Post': {
    read: (request) => ({ OR: [{ published: true }, isOwn(request)] }),
    create: reason('not in your own name', isOwn),
    // The reason depends on the request.
    update: {
      using: (request) => (idOf(request) === undefined ? reason('sign in first', false) : reason('not the author', isOwn(request))),
      check: reason('posts are not given away', isOwn),
    },
    delete: reason('not the author', (request) => Promise.resolve(isOwn(request))),
  },
  'Tag': { read: true, create: true, update: reason('tags are kept', false), delete: false },
  'Comment': { 'read': true, '*': reason('members only', (request) => idOf(request) !== undefined) },
  '*': true,
});

@ResourceActions('Post')
class PostActions {
  @ResourceAction({ right: 'delete' })
  archive({ record }: ActionOf<PrismaClient, 'Post'>): unknown {
    return { id: record.id };
  }
}

@Module({ providers: [PostActions] })
class ApplicationModule {}

const log = new LogLines();
const refusals = (): readonly string[] => log.logs.filter((text) => text.startsWith('forbidden'));

onPlatforms('the reasons of rules', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, logger: log, options: { rules: RULES }, imports: [ApplicationModule] });
  }, 60_000);
  beforeEach(async () => {
    await database.reset();
    log.clear();
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const as = (id?: number): Caller => callerOf(app, id);

  it('are in meta of REST errors, in the error of RPC, and in the log with the path of the rule', async () => {
    const body = { data: { type: 'post', id: 2, attributes: { title: 'x' } } };
    const rest = await as(1).rest('PATCH', '/post/2?fields[post]=title', body);
    expect([rest.status, rest.errors]).toEqual([
      403,
      [
        {
          status: 403,
          code: 'forbidden',
          title: 'Forbidden',
          detail: 'You are not allowed to write this.',
          meta: { reason: 'not the author' },
        },
      ],
    ]);
    const rpc = await as(1).rpc('post/update', { where: { id: 2 }, data: { title: 'x' } });
    expect([rpc.status, rpc.error]).toEqual([
      403,
      { message: 'You are not allowed to write this.', rejectedByPolicy: true, reason: 'not the author' },
    ]);
    // The log has no query string, because it may contain confidential values.
    expect(refusals()).toEqual([
      'forbidden PATCH /api/rest/post/2: not the author (rules.Post.update.using)',
      'forbidden PATCH /api/rpc/post/update: not the author (rules.Post.update.using)',
    ]);
  });

  it.each<[what: string, caller: number | undefined, operation: string, args: object, reason: string | undefined]>([
    ['by the rule of the row before', undefined, 'post/update', { where: { id: 1 }, data: { title: 'x' } }, 'sign in first'],
    ['by the rule of the row after', 1, 'post/update', { where: { id: 1 }, data: { authorId: 2 } }, 'posts are not given away'],
    ['by that of a new row', 1, 'post/create', { data: { title: 'x', authorId: 2 } }, 'not in your own name'],
    ['by that of several new rows', 1, 'post/createMany', { data: [{ title: 'x', authorId: 2 }] }, 'not in your own name'],
    ['by that of a delete', 1, 'post/delete', { where: { id: 2 } }, 'not the author'],
    ['by one that is false', 1, 'tag/update', { where: { id: 1 }, data: { name: 'x' } }, 'tags are kept'],
    ['by one without a reason', 1, 'tag/delete', { where: { id: 1 } }, undefined],
    ['by one of all actions', undefined, 'comment/create', { data: { body: 'x', postId: 1 } }, 'members only'],
    [
      'of a nested record',
      1,
      'user/update',
      { where: { id: 2 }, data: { posts: { update: { where: { id: 2 }, data: { title: 'x' } } } } },
      'not the author',
    ],
    [
      'of a nested record that is deleted',
      1,
      'user/update',
      { where: { id: 2 }, data: { posts: { delete: { id: 2 } } } },
      'not the author',
    ],
  ])('are returned to a caller who is rejected %s', async (_, caller, operation, args, expected) => {
    const { status, error } = await as(caller).rpc(operation, args);
    expect([status, error.reason]).toEqual([403, expected]);
  });

  it('are returned to a caller who is rejected an action of the application', async () => {
    const { status, document } = await as(1).rest('POST', '/post/2/archive');
    expect([status, document.errors[0].meta]).toEqual([403, { reason: 'not the author' }]);
  });

  it('are returned for the rejected operation of a batch, which is rolled back', async () => {
    const { status, error } = await as(1).batch([
      { model: 'post', op: 'update', args: { where: { id: 1 }, data: { title: 'kept?' } } },
      { model: 'post', op: 'delete', args: { where: { id: 2 } } },
      { model: 'post', op: 'findMany' },
    ]);
    expect([status, error]).toEqual([
      403,
      { message: 'operations[1]: You are not allowed to write this.', rejectedByPolicy: true, reason: 'not the author' },
    ]);
    expect(await database.prisma.post.count({ where: { title: 'kept?' } })).toBe(0);
  });

  it('are not returned for unreadable rows, nor for rows that deleteMany skips', async () => {
    const hidden = await database.prisma.post.findFirstOrThrow({ where: { published: false, authorId: { not: 1 } } });
    for (const id of [hidden.id, 12345]) {
      const { status, error } = await as(1).rpc('post/delete', { where: { id } });
      expect([status, JSON.stringify(error)]).toEqual([404, expect.not.stringContaining('author')]);
    }
    expect((await as(1).rpc('post/update', { where: { id: 1 }, data: { title: 'mine' } })).status).toBe(200);
    expect((await as(1).rpc('post/deleteMany', { where: { id: 2 } })).data).toEqual({ count: 0 });
    expect(refusals()).toEqual([]);
  });
});
