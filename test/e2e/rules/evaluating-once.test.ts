import { type CanActivate, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import {
  type ActionOf,
  type PlatformRequest,
  ResourceAction,
  ResourceActions,
  ResourceClients,
  type RulesOption,
  withSql,
} from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { THIS_DATABASE } from '../../support/databases/this-database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { ATOMIC } from '../rest/operations-suite.js';

interface CallerRequest extends PlatformRequest {
  callerId?: number;
}

/** How often each rule was evaluated. */
const calls = new Map<string, number>();

function counted(place: string) {
  return ({ callerId = 0 }: CallerRequest): object => {
    calls.set(place, (calls.get(place) ?? 0) + 1);
    return place.startsWith('Post') ? { OR: [{ published: true }, { authorId: callerId }, { id: { gt: 0 } }] } : { id: { gt: 0 } };
  };
}

const ruleOf = (model: string): object =>
  Object.fromEntries(['read', 'create', 'update', 'delete'].map((name) => [name, counted(`${model}.${name}`)]));
const RULES: RulesOption = {
  'Post': ruleOf('Post'),
  'User': ruleOf('User'),
  'Comment': ruleOf('Comment'),
  'Tag': ruleOf('Tag'),
  '*': true,
};

@ResourceActions('Post')
class PostActions {
  @ResourceAction({ right: 'update' })
  async publish({ record, client }: ActionOf<PrismaClient, 'Post'>) {
    await client.comment.count();
    return client.post.update({ where: { id: record.id }, data: { published: true } });
  }
}

@Module({ providers: [PostActions] })
class ApplicationModule {}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const post = { type: 'post', attributes: { title: 'New', authorId: 1 }, relationships: { tags: { data: [{ type: 'tag', id: 1 }] } } };
const rest =
  (method: 'DELETE' | 'GET' | 'PATCH' | 'POST', path: string, data?: object) =>
  (app: TestApp): PromiseLike<Answer> =>
    app.rest.request(method, path, data ? { body: { data } } : {});
const rpc =
  (operation: string, args: object) =>
  (app: TestApp): PromiseLike<Answer> =>
    app.rpc.call(operation, args);

const REQUESTS: readonly (readonly [name: string, send: (app: TestApp) => PromiseLike<Answer>])[] = [
  ['a list with includes and a total', rest('GET', '/post?include=author,comments.author,tags&filter[author][name$contains]=a')],
  ['a resource', rest('GET', '/post/1?include=author')],
  ['a relationship', rest('GET', '/post/1/relationships/tags')],
  ['a create', rest('POST', '/post', post)],
  ['an update', rest('PATCH', '/post/1', { type: 'post', id: 1, attributes: { title: 'x' }, relationships: post.relationships })],
  ['a change of linkage', rest('POST', '/post/1/relationships/tags', [{ type: 'tag', id: 3 }])],
  ['a deletion', rest('DELETE', '/comment/1')],
  ['an action', rest('POST', '/post/1/publish')],
  [
    'atomic operations',
    ({ agent }) =>
      agent
        .post('/api/rest/operations')
        .set('Content-Type', ATOMIC)
        .set('Accept', ATOMIC)
        .send(
          JSON.stringify({
            'atomic:operations': [
              { op: 'add', data: post },
              { op: 'add', data: post },
              { op: 'remove', ref: { type: 'comment', id: '1' } },
            ],
          }),
        ),
  ],
  ['an upsert of RPC', rpc('tag/upsert', { where: { name: 'new' }, create: { name: 'new' }, update: { name: 'new' } })],
  [
    'a nested write of RPC',
    rpc('post/update', { where: { id: 1 }, data: { comments: { create: { body: 'x' }, updateMany: { where: {}, data: { body: 'y' } } } } }),
  ],
  ['a groupBy of RPC', rpc('post/groupBy', { by: ['authorId'], _count: true })],
  [
    'a batch of RPC',
    ({ rpc: client }) =>
      client.sequential([
        { model: 'post', op: 'findMany', args: { include: { author: true } } },
        { model: 'post', op: 'update', args: { where: { id: 1 }, data: { title: 'x' } } },
        { model: 'post', op: 'update', args: { where: { id: 2 }, data: { title: 'x' } } },
        { model: 'comment', op: 'deleteMany', args: { where: {} } },
      ]),
  ],
];

/** SQL is for PostgreSQL alone. */
const ENGINES = THIS_DATABASE === 'postgresql' ? ['Prisma', 'SQL'] : ['Prisma'];

onPlatforms('rules that are functions', (platform) => {
  let database: TestDatabase;
  const apps = new Map<string, TestApp>();
  beforeAll(async () => {
    database = await openTestDatabase();
    const { prisma } = database;
    for (const engine of ENGINES) {
      const client = engine === 'SQL' ? withSql(prisma) : prisma;
      const options = { rules: RULES, rest: { operations: true }, getClient: () => client };
      apps.set(engine, await startTestApp({ platform, options, imports: [ApplicationModule] }));
    }
  }, 60_000);
  beforeEach(async () => {
    await database.reset();
    calls.clear();
  });
  afterAll(async () => {
    for (const app of apps.values()) await app.close();
    await database.close();
  });

  const appOf = (engine: string): TestApp => {
    const app = apps.get(engine);
    if (!app) throw new Error('It is there once the tests run.');
    return app;
  };

  describe.each(ENGINES)('by %s', (engine) => {
    it.each(REQUESTS)('are evaluated once for %s', async (_, send) => {
      const { status, text } = await send(appOf(engine));
      expect([status < 300, text]).toEqual([true, text]);
      expect(calls.size).toBeGreaterThan(0);
      expect([...calls].filter(([, count]) => count !== 1)).toEqual([]);
    });
  });

  it('are evaluated for the caller that the last guard sets, although an earlier guard has read under them', async () => {
    let first: number | undefined;
    @Injectable()
    class MembershipGuard implements CanActivate {
      constructor(private readonly clients: ResourceClients) {}

      async canActivate(context: ExecutionContext): Promise<boolean> {
        const request = context.switchToHttp().getRequest<CallerRequest>();
        request.callerId = 1;
        first = await (await this.clients.ruled<PrismaClient>(request)).post.count();
        return true;
      }
    }
    @Injectable()
    class CallerGuard implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        context.switchToHttp().getRequest<CallerRequest>().callerId = 2;
        return true;
      }
    }
    const rules = { 'Post': { read: ({ callerId = 0 }: CallerRequest) => ({ id: { lte: callerId } }) }, '*': true } satisfies RulesOption;
    const app = await startTestApp({ platform, database, options: { rules, guards: [MembershipGuard, CallerGuard] } });
    try {
      expect((await app.rpc.call('post/count', {})).data).toBe(2);
      expect(first).toBe(1);
      expect((await app.rest.get('/post')).document.meta).toMatchObject({ total: 2 });
    } finally {
      await app.close();
    }
  });
});
