import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import * as common from '@nestjs/common';
import { Injectable, Logger, Module, type ModuleMetadata, Scope } from '@nestjs/common';
import {
  AfterCommit,
  type AfterCommitOf,
  AfterWrite,
  type AfterWriteOf,
  BeforeWrite,
  type BeforeWriteOf,
  granted,
  ResourceHooks,
} from '../../../lib/index.js';
import { LogLines } from '../../support/log-lines.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { onPlatforms, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';
import { runSnippet, snippetsOf } from '../../docs/page-snippets.js';
import { CallerGuard, type CallerRequest, HooksModule, onCommit } from './recording-hooks.js';

/** Returns a class with one hook that does nothing. */
function hooksOf(model: string, ...actions: readonly string[]): new () => object {
  @ResourceHooks(model)
  class Found {
    @AfterWrite(...(actions as readonly 'create'[]))
    after(): void {
      return undefined;
    }
  }
  return Found;
}

class Homeless {
  @BeforeWrite()
  check(): void {
    return undefined;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Requested {}

@ResourceHooks('Post')
class Scoped {
  constructor(readonly requested: Requested) {}
  @AfterCommit()
  go(): void {
    return undefined;
  }
}

const Manufactured = hooksOf('Post');
const Tokens = hooksOf('ApiToken');

onPlatforms('hooks of an application', (platform) => {
  let database: TestDatabase;
  const apps: TestApp[] = [];
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => database.reset());
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });
  afterAll(() => database.close());

  async function start(providers: ModuleMetadata['providers'] = [], options: TestAppOptions['options'] = {}): Promise<TestApp> {
    @Module({})
    class ApplicationModule {}
    const app = await startTestApp({ platform, database, options, imports: [{ module: ApplicationModule, providers }] });
    apps.push(app);
    return app;
  }

  it.each<readonly [string, ModuleMetadata['providers'], RegExp]>([
    ['an unknown model', [hooksOf('Pots')], /Found\.after is a hook of 'Pots', which is no model of the schema\. .*Post/s],
    ['an unknown action', [hooksOf('Post', 'upsert')], /@AfterWrite of Found\.after names 'upsert', which is no action/],
    ['a class without @ResourceHooks', [Homeless], /Homeless\.check is a hook of no model\. .*@ResourceHooks/s],
    ['a request-scoped provider', [Requested, Scoped], /Scoped\.go is a hook of a provider that is made for each request/],
    ['a factory', [{ provide: 'any', useFactory: () => new Manufactured() }], /The hooks of Found are not found/],
    ['a value', [{ provide: 'any', useValue: new Manufactured() }], /The hooks of Found are not found/],
  ])('are a configuration error at start: %s', async (_, providers, message) => {
    await expect(start(providers)).rejects.toThrow(message);
  });

  it('may be of a model that the API does not expose', async () => {
    const { rpc } = await start([Tokens]);
    expect((await rpc.call('post/count', {})).status).toBe(200);
  });

  it('change no statement of other models, of other actions and of reads', async () => {
    const plain = await start();
    const hooked = await start([hooksOf('Comment'), hooksOf('Post', 'delete')]);
    const calls = [
      ['post/create', { data: { title: 'New', authorId: 1, tags: { connect: { id: 1 } } } }],
      ['post/updateMany', { where: { id: { in: [1, 2] } }, data: { viewCount: 1 } }],
      ['post/update', { where: { id: 1 }, data: { category: { create: { name: 'x', slug: 'x' } } } }],
      ['category/upsert', { where: { id: 1 }, create: { name: 'y', slug: 'y' }, update: { name: 'y' } }],
      ['comment/findMany', { include: { post: true } }],
    ] as const;
    const statements: string[][] = [];
    for (const app of [plain, hooked]) {
      await database.reset();
      for (const [operation, args] of calls) expect((await app.rpc.call(operation, args)).status).toBeLessThan(300);
      statements.push(database.statements.all.map((sql) => sql.replaceAll(/[0-9a-f]{8}-[0-9a-f-]+/g, '')));
    }
    expect(statements[1]).toEqual(statements[0]);
  });

  onDatabases('postgresql', 'sqlite').it('add no statement to a create, and one SELECT to an update and to a delete', async () => {
    const verbsOf = async ({ rpc }: TestApp, operation: string, args: object): Promise<readonly string[]> => {
      database.statements.clear();
      expect((await rpc.call(operation, args)).status).toBeLessThan(300);
      return database.statements.queries.map((sql) => (/^\s*(\w+)/.exec(sql)?.[1] ?? '').toUpperCase());
    };
    const [plain, hooked] = [await start(), await start([hooksOf('Post')])];
    const select = { id: true, title: true };
    const create = ['post/create', { data: { title: 'New', authorId: 1 }, select }] as const;
    expect(await verbsOf(hooked, ...create)).toEqual(await verbsOf(plain, ...create));
    expect(await verbsOf(hooked, 'post/update', { where: { id: 12 }, data: { title: 'Newer' }, select })).toEqual(['SELECT', 'UPDATE']);
    expect(await verbsOf(hooked, 'post/delete', { where: { id: 12 }, select })).toEqual(['SELECT', 'DELETE']);
  });

  it('run after rules, grants and values of the server are applied', async () => {
    const written: unknown[] = [];
    @ResourceHooks('Post')
    class All {
      @BeforeWrite('create')
      check({ data }: BeforeWriteOf<PrismaClient, 'Post', CallerRequest, 'create'>): typeof data {
        return { ...data, content: `by ${String(data.authorId)}` };
      }
      @AfterWrite('create', 'update')
      after({ action, after, request }: AfterWriteOf<PrismaClient, 'Post', CallerRequest, 'create' | 'update'>): void {
        written.push([action, after.title, after.content, after.authorId, after.reviewerId, request.callerId]);
      }
      @AfterCommit('create')
      committed({ rows }: AfterCommitOf<PrismaClient, 'Post', CallerRequest, 'create'>): void {
        written.push(rows.length);
      }
    }
    const caller = ({ callerId }: CallerRequest): number => callerId ?? 0;
    const { rpc } = await start([All], {
      guards: [CallerGuard],
      grants: { editor: (request: CallerRequest) => caller(request) === 2 },
      resources: {
        Post: {
          fields: {
            authorId: { value: { create: caller } },
            reviewerId: { value: { update: caller } },
            viewCount: { update: granted('editor') },
          },
        },
      },
      rules: {
        'Post': {
          'read': true,
          'create': (request: CallerRequest) => ({ content: `by ${caller(request)}` }),
          '*': (request: CallerRequest) => ({ authorId: caller(request) }),
        },
        '*': true,
      },
    });
    const as = (id: number): object => ({ headers: { 'x-user-id': String(id) } });
    const nested = { data: { name: 'x', slug: 'x', posts: { create: [{ title: 'a' }, { title: 'b' }] } } };
    expect((await rpc.call('category/create', nested, as(2))).status).toBe(201);
    const where = { title: 'a' };
    expect((await rpc.call('post/updateMany', { where, data: { viewCount: 1 } }, as(1))).status).toBe(400);
    expect((await rpc.call('post/updateMany', { where, data: { viewCount: 1 } }, as(2))).data).toEqual({ count: 1 });
    expect((await rpc.call('post/updateMany', { where, data: { title: 'c' } }, as(1))).data).toEqual({ count: 0 });
    expect(written).toEqual([
      ['create', 'a', 'by 2', 2, null, 2],
      ['create', 'b', 'by 2', 2, null, 2],
      2,
      ['update', 'a', 'by 2', 2, 2, 2],
    ]);
  });

  it('of @AfterCommit do not delay the response, and log their errors', async () => {
    const app = await startTestApp({ platform, database, options: { guards: [CallerGuard] }, imports: [HooksModule] });
    apps.push(app);
    const log = new LogLines();
    Logger.overrideLogger(log);
    let release = (): void => undefined;
    onCommit.work = () =>
      new Promise((_, reject) => {
        release = () => {
          reject(new Error('No mail today.'));
        };
      });
    expect((await app.rpc.call('post/create', { data: { title: 'New', authorId: 1 } })).status).toBe(201);
    expect(log.errors).toEqual([]);
    release();
    await new Promise((resolve) => setImmediate(resolve));
    Logger.overrideLogger(false);
    // Test files share the module of these hooks.
    onCommit.work = () => undefined;
    expect(log.errors).toEqual(['The hook PostHooks.committed failed after POST /api/rpc/post/create, which is stored: No mail today.']);
  });

  it('do what the example of docs/hooks.md says', async () => {
    const sent: string[] = [];
    class MailService {
      send(text: string): Promise<void> {
        sent.push(text);
        return Promise.resolve();
      }
    }
    const [code = ''] = snippetsOf('docs/hooks.md');
    const names = { ...common, AfterCommit, AfterWrite, BeforeWrite, ResourceHooks, MailService };
    const Hooks = runSnippet(code, names, 'PostHooks') as new () => object;
    const { rpc } = await start([Hooks, MailService], { guards: [CallerGuard] });
    expect((await rpc.call('post/create', { data: { title: ' New ', authorId: 1 } })).data).toMatchObject({ title: 'New' });
    expect((await rpc.call('post/create', { data: { title: '', authorId: 1 } })).status).toBe(400);
    expect(sent).toEqual(['1 has written New']);
    expect(await database.prisma.comment.count({ where: { postId: 1 } })).toBeGreaterThan(0);
    expect((await rpc.call('post/update', { where: { id: 1 }, data: { published: false } })).status).toBe(200);
    expect(await database.prisma.comment.count({ where: { postId: 1 } })).toBe(0);
  });
});
