import { type CanActivate, type ExecutionContext, Module } from '@nestjs/common';
import { type PlatformRequest, ResourceApiModule, type RulesOption } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { closeAll, startTinyApp, tinySchema } from '../../support/tiny-app.js';
import { type Caller, callerOf } from './rules-suite.js';

onPlatforms('row rules', (platform) => {
  let database: TestDatabase;
  let app: TestApp | undefined;

  beforeAll(async () => {
    database = await openTestDatabase();
  }, 60_000);
  beforeEach(() => database.reset());
  afterEach(() => app?.close());
  afterAll(() => database.close());

  async function start(rules: RulesOption, resources: object = {}): Promise<Caller> {
    app = await startTestApp({ platform, database, options: { rules, resources } });
    return callerOf(app);
  }

  it('with read: false return empty lists, null and 404, not 403, also for updates, deletes and links', async () => {
    const { rest, rpc } = await start({ 'Post': { 'read': false, '*': true }, '*': true });
    const list = await rest('GET', '/post');
    expect([list.status, list.ids, list.total]).toEqual([200, [], 0]);
    expect([(await rpc('post/findMany', {})).data, (await rpc('post/count')).data]).toEqual([[], 0]);
    expect((await rest('GET', '/post/1')).status).toBe(404);
    expect((await rest('GET', '/post/1/author')).status).toBe(404);
    expect((await rpc('post/findUnique', { where: { id: 1 } })).data).toBeNull();
    expect((await rest('GET', '/user/1/posts')).ids).toEqual([]);
    expect((await rpc('comment/findUnique', { where: { id: 1 }, select: { post: true } })).data).toEqual({ post: null });
    expect((await rest('PATCH', '/post/1', { data: { type: 'post', id: 1, attributes: { title: 'x' } } })).status).toBe(404);
    expect((await rest('DELETE', '/post/1')).status).toBe(404);
    expect((await rpc('tag/update', { where: { id: 1 }, data: { posts: { connect: { id: 1 } } } })).status).toBe(404);
    expect((await rpc('post/deleteMany', { where: {} })).data).toEqual({ count: 0 });
    expect((await rpc('post/create', { data: { title: 'x', authorId: 1 } })).error.reason).toBe('RESULT_NOT_READABLE');
  });

  it('may use hidden fields, and relations to hidden models', async () => {
    await database.prisma.user.update({ where: { id: 2 }, data: { passwordHash: 'blocked' } });
    const rules = {
      'Post': { read: { author: { passwordHash: { not: 'blocked' } } } },
      'User': { read: { profile: { isNot: null } } },
      '*': false,
    };
    const { rest, rpc } = await start(rules, { Profile: 'hidden' });
    const posts = await database.prisma.post.findMany({ where: { authorId: { not: 2 } }, orderBy: { id: 'asc' }, select: { id: true } });
    expect((await rest('GET', '/post?sort=id')).ids).toEqual(posts.map(({ id }) => id));
    expect((await rpc('post/findMany', { orderBy: { id: 'asc' }, select: { id: true } })).data).toEqual(posts);
    const profiles = await database.prisma.profile.findMany({ orderBy: { userId: 'asc' }, select: { userId: true } });
    expect((await rest('GET', '/user?sort=id')).ids).toEqual(profiles.map(({ userId }) => userId));
  });

  it("of '*' apply to actions that the model does not name, and to models that the option does not name", async () => {
    const { rpc } = await start({ 'Tag': { read: true }, 'Post': { 'delete': false, '*': { authorId: 1 } }, '*': { read: { id: 1 } } });
    expect((await rpc('post/count')).data).toBe(4);
    expect((await rpc('post/update', { where: { id: 1 }, data: { title: 'x' }, select: { title: true } })).data).toEqual({ title: 'x' });
    expect((await rpc('post/delete', { where: { id: 1 } })).status).toBe(403);
    expect((await rpc('tag/create', { data: { name: 'x' } })).status).toBe(403);
    expect((await rpc('user/count')).data).toBe(1);
    expect((await rpc('comment/delete', { where: { id: 1 } })).status).toBe(403);
  });
});

/** Post 2 has author 2 and reviewer 1. Post 7 has no reviewer. A profile has the foreign key of its user. */
onPlatforms('a to-one relationship to an unreadable row', (platform) => {
  let database: TestDatabase;
  let app: TestApp | undefined;
  let caller: Caller;

  beforeAll(async () => {
    database = await openTestDatabase();
    const rules: RulesOption = { 'User': { 'read': { id: { not: 1 } }, '*': true }, 'Profile': { read: false }, '*': true };
    app = await startTestApp({ platform, database, options: { rules } });
    caller = callerOf(app);
  }, 60_000);
  afterAll(async () => {
    await app?.close();
    await database.reset();
    await database.close();
  });

  it('has the key of the row as its linkage, like the foreign key attribute', async () => {
    const { document } = await caller.rest('GET', '/post/2');
    const { attributes, relationships } = document.data;
    expect([attributes.reviewerId, relationships.reviewer.data]).toEqual([1, { type: 'user', id: 1 }]);
    expect([attributes.authorId, relationships.author.data]).toEqual([2, { type: 'user', id: 2 }]);
    const list = await caller.rest('GET', '/post?filter[id]=2,7&sort=id');
    const linkage = list.document.data.map((post: typeof document.data) => [post.attributes.reviewerId, post.relationships.reviewer.data]);
    expect(linkage).toEqual([
      [1, { type: 'user', id: 1 }],
      [null, null],
    ]);
    expect((await caller.rest('GET', '/post/2/relationships/reviewer')).document.data).toEqual({ type: 'user', id: 1 });
    expect((await caller.rest('GET', '/post/7/relationships/reviewer')).document.data).toBeNull();
    const included = await caller.rest('GET', '/post/2/relationships/reviewer?include=reviewer');
    expect([included.status, included.document.data, included.document.included]).toEqual([200, { type: 'user', id: 1 }, []]);
    expect((await caller.rest('GET', '/post/2/relationships/author?include=author')).included).toEqual(['user 2']);
    expect((await caller.rest('GET', '/post/7/relationships/reviewer?include=reviewer')).document.data).toBeNull();
    const select = { reviewerId: true, reviewer: true };
    expect((await caller.rpc('post/findUnique', { where: { id: 2 }, select })).data).toEqual({ reviewerId: 1, reviewer: null });
  });

  it('has null at its related URL, and includes no resource', async () => {
    const related = await caller.rest('GET', '/post/2/reviewer');
    expect([related.status, related.document.data]).toEqual([200, null]);
    expect((await caller.rest('GET', '/post/2/author')).ids).toEqual([2]);
    for (const path of ['/post/2', '/post?filter[id]=2', '/user/2/posts?filter[id]=2']) {
      const { status, document } = await caller.rest('GET', `${path}${path.includes('?') ? '&' : '?'}include=reviewer`);
      const [first] = [document.data].flat();
      expect([path, status, document.included]).toEqual([path, 200, []]);
      expect(first.relationships.reviewer.data).toEqual({ type: 'user', id: 1 });
    }
    expect((await caller.rest('GET', '/post/2?include=author,reviewer')).included).toEqual(['user 2']);
  });

  it('has null as its linkage where the unreadable row has the foreign key', async () => {
    await database.prisma.profile.upsert({ where: { userId: 2 }, create: { userId: 2 }, update: {} });
    expect((await caller.rest('GET', '/user/2/relationships/profile')).document.data).toBeNull();
    expect((await caller.rest('GET', '/user/2/relationships/profile?include=profile')).document.data).toBeNull();
    expect((await caller.rest('GET', '/user/2/profile')).document.data).toBeNull();
    const { document } = await caller.rest('GET', '/user/2?include=profile');
    expect([document.included, document.data.relationships.profile.data]).toEqual([[], null]);
  });
});

interface CallerRequest extends PlatformRequest {
  callerId?: number;
}

class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const id = Number(request.headers['x-user-id']);
    if (Number.isNaN(id)) return false;
    request.callerId = id;
    return true;
  }
}

@Module({ providers: [{ provide: 'TEAM', useValue: 7 }], exports: ['TEAM'] })
class TeamModule {}

onPlatforms('rules of forRootAsync', (platform) => {
  afterEach(closeAll);

  it('are called after the guards, with the request that these have changed, and not if a guard rejects', async () => {
    const queries: unknown[] = [];
    const findMany = (args: unknown): Promise<readonly object[]> => {
      queries.push(args);
      return Promise.resolve([]);
    };
    const seen: unknown[] = [];
    const api = ResourceApiModule.forRootAsync({
      rpc: true,
      guards: [HeaderGuard],
      imports: [TeamModule],
      inject: ['TEAM'],
      useFactory: (team: number) => ({
        schema: tinySchema,
        getClient: () => ({ post: { findMany } }),
        rules: {
          'Post': {
            read: ({ callerId }: CallerRequest) => {
              seen.push(callerId);
              return { authorId: { in: [callerId ?? 0, team] } };
            },
          },
          '*': false,
        },
      }),
    });
    const { http } = await startTinyApp(platform, [api]);
    expect((await http.get('/post/findMany')).status).toBe(403);
    expect(seen).toEqual([]);
    expect((await http.get('/post/findMany').set('X-User-Id', '3')).status).toBe(200);
    expect(seen).toEqual([3]);
    expect(queries).toEqual([expect.objectContaining({ where: { authorId: { in: [3, 7] } } })]);
  });
});
