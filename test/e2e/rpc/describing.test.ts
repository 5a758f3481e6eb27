import { type ExecutionContext, ForbiddenException, Module } from '@nestjs/common';
import { z } from 'zod';
import { createRpcClient, type ModelDescription } from '../../../lib/client/index.js';
import { type PlatformRequest, ResourceAction, ResourceActions, type ResourceOperation, resourceOperation } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { THIS_DATABASE } from '../../support/databases/this-database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { sendRequest } from '../../support/send-request.js';
import { onPlatforms, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';

/** Whether filters may ignore the letter case: `mode: 'insensitive'` of Prisma. */
const FOLDING = THIS_DATABASE === 'postgresql' ? { caseInsensitive: true } : {};

@ResourceActions('Post')
class PostActions {
  @ResourceAction({ body: z.object({ note: z.string().min(3) }), documentation: 'Publishes the post.' })
  publish(): void {
    return undefined;
  }

  @ResourceAction({ on: 'collection', right: 'delete' })
  purge(): void {
    return undefined;
  }
}

@Module({ providers: [PostActions] })
class ApplicationModule {}

const RESOURCES = {
  Post: {
    version: 'viewCount',
    softDelete: 'publishedAt',
    fields: { metadata: 'hidden', reviewer: 'hidden', title: { filter: ['equals'] } },
  },
  Category: 'hidden',
} as const;

onPlatforms('$describe', (platform) => {
  let database: TestDatabase;
  const open: TestApp[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => Promise.all(open.splice(0).map((app) => app.close())));
  afterAll(() => database.close());

  async function start(options: TestAppOptions['options'] = {}): Promise<TestApp> {
    const app = await startTestApp({ platform, database, options: { resources: RESOURCES, ...options }, imports: [ApplicationModule] });
    open.push(app);
    return app;
  }

  async function describeOne(app: TestApp, model: string, caller = ''): Promise<ModelDescription> {
    const { models } = await createRpcClient<PrismaClient>({
      endpoint: `${app.url}/api/rpc`,
      headers: { 'X-Caller': caller },
    }).$describe(model as 'post');
    const [described, ...others] = models;
    if (!described || others.length > 0) throw new Error(`${models.length} models are described.`);
    return described;
  }

  it('describes fields, relations, keys, actions, the version and soft delete of a model', async () => {
    const app = await start();
    const post = await describeOne(app, 'post');
    const fields = new Map(post.fields.map((field) => [field.name, field]));
    expect(post).toMatchObject({ model: 'post', type: 'post', version: 'viewCount', softDelete: { field: 'publishedAt' } });
    expect(fields.get('title')).toEqual({
      name: 'title',
      type: 'String',
      list: false,
      optional: false,
      hasDefault: false,
      unique: false,
      rights: ['read', 'filter', 'sort', 'create', 'update'],
      operators: ['equals'],
      ...FOLDING,
    });
    expect(fields.get('content')).toMatchObject(FOLDING);
    expect(fields.get('content')).not.toHaveProperty('operators');
    expect(fields.get('id')).not.toHaveProperty('caseInsensitive');
    expect(fields.get('id')).toMatchObject({ type: 'Int', unique: true, hasDefault: true });
    expect(fields.get('viewCount')?.rights).toEqual(['read', 'filter', 'sort']);
    expect(post.relations.find(({ name }) => name === 'author')).toMatchObject({
      model: 'user',
      list: false,
      foreignKey: ['authorId'],
      references: ['id'],
      opposite: 'posts',
    });
    expect(post.relations.find(({ name }) => name === 'comments')).toMatchObject({
      model: 'comment',
      list: true,
      opposite: 'post',
    });
    expect(post.keys).toContainEqual({ name: 'id', fields: ['id'], primary: true });
    expect(post.actions).toEqual([
      {
        name: 'publish',
        on: 'record',
        documentation: 'Publishes the post.',
        body: { type: 'object', properties: { note: { type: 'string', minLength: 3 } }, required: ['note'] },
      },
      { name: 'purge', on: 'collection' },
      { name: 'restore', on: 'record' },
    ]);
    expect((await describeOne(app, 'user')).fields.find(({ name }) => name === 'role')).toMatchObject({
      type: 'Enum',
      values: ['READER', 'AUTHOR', 'ADMIN'],
    });
    const { data } = await app.rpc.send({ method: 'GET', path: '/$describe' });
    expect(data).toMatchObject({ limits: { maxTake: 10_000, maxBatchSize: 1000, maxFilterTerms: 100, pageSize: 100, maxPageSize: 1000 } });
    expect(data).toHaveProperty('models', expect.arrayContaining([post]));
  });

  it('names no hidden model, field or relation', async () => {
    const app = await start();
    const { text } = await app.rpc.send({ method: 'GET', path: '/$describe' });
    expect(text).not.toMatch(/"(?:metadata|reviewer|reviewerId|category|categoryId|passwordHash|apiToken)"/);
  });

  it('has an ETag, and answers HEAD and a matching If-None-Match', async () => {
    const app = await start();
    const first = await app.rpc.send({ method: 'GET', path: '/$describe' });
    const { etag } = first.headers;
    expect(etag).toMatch(/^W\/"/);
    expect(await app.rpc.send({ method: 'GET', path: '/$describe' })).toMatchObject({ status: 200, text: first.text });
    const again = await sendRequest(app.agent, {
      method: 'GET',
      path: '/api/rpc/$describe',
      headers: { 'If-None-Match': String(etag) },
    });
    expect(again).toMatchObject({ status: 304, text: '' });
    const head = await app.rpc.send({ method: 'HEAD', path: '/$describe/post' });
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(
      String(Buffer.byteLength((await app.rpc.send({ method: 'GET', path: '/$describe/POST' })).text)),
    );
  });

  it.each([
    ['GET', '/$describe/posd', 400, /There is no model 'posd'. Did you mean 'post'\?/],
    ['GET', '/$describe/category', 400, /There is no model 'category'\./],
    ['GET', '/$describe/', 400, /There is nothing at this path/],
    ['POST', '/$describe', 400, /\$describe is called by GET, not by POST/],
    ['GET', '/$describe?q={}', 400, /\$describe takes no argument: leave q out/],
    ['GET', '/$describe/post?model=user', 400, /There is no query parameter 'model'/],
  ] as const)('answers %s %s with %i', async (method, path, status, message) => {
    const app = await start();
    const answer = await app.rpc.send({ method, path });
    expect(answer.status).toBe(status);
    expect(answer.error.message).toMatch(message);
  });

  it('answers an unknown model with the error of a call', async () => {
    const app = await start();
    const [described, called] = [
      await app.rpc.send({ method: 'GET', path: '/$describe/category' }),
      await app.rpc.call('category/findMany'),
    ];
    expect([described.status, described.error]).toEqual([called.status, called.error]);
  });

  it('can be disabled by an option', async () => {
    const app = await start({ rpc: { prefix: 'api/rpc', describe: false } });
    for (const path of ['/$describe', '/$describe/post']) expect((await app.rpc.send({ method: 'GET', path })).status).toBe(400);
    await expect(describeOne(app, 'post')).rejects.toThrow('$describe is off here.');
  });

  it('is a read of each described model for guards', async () => {
    const seen: (ResourceOperation | undefined)[] = [];
    const guard = {
      canActivate(context: ExecutionContext): boolean {
        const operation = resourceOperation(context);
        seen.push(operation);
        if (operation?.touches?.some(({ model }) => model === 'Order')) throw new ForbiddenException('No orders.');
        return true;
      },
    };
    const app = await start({ guards: [guard] });
    expect(await app.rpc.send({ method: 'GET', path: '/$describe' })).toMatchObject({ status: 403 });
    expect((await describeOne(app, 'post')).model).toBe('post');
    expect(seen[0]).toMatchObject({ style: 'rpc', model: undefined, operation: '$describe', action: 'read', actions: ['read'] });
    expect(seen[1]).toMatchObject({ model: 'Post', operation: '$describe', action: 'read' });
    expect(seen[1]?.touches).toEqual([{ model: 'Post', action: 'read', fields: [] }]);
  });

  it('lists no operations and rights that the rules deny the caller, and differs between callers', async () => {
    const is = (name: string) => (request: PlatformRequest) => Promise.resolve(request.headers['x-caller'] === name);
    const app = await start({
      rules: { 'Post': { read: true, create: is('ada'), update: is('ada'), delete: false }, 'Tag': { '*': is('ada') }, '*': true },
    });
    const [ada, bob] = [await describeOne(app, 'post', 'ada'), await describeOne(app, 'post', 'bob')];
    expect(ada.operations).toEqual(expect.arrayContaining(['findMany', 'create', 'update', 'upsert']));
    expect(ada.operations).not.toContain('delete');
    expect(ada.actions.map(({ name }) => name)).toEqual(['publish']);
    expect(bob.operations.filter((name) => !/^(?:find|count|aggregate|groupBy)/.test(name))).toEqual([]);
    expect(bob.actions).toEqual([]);
    expect(bob.fields.find(({ name }) => name === 'title')?.rights).toEqual(['read', 'filter', 'sort']);
    expect(await describeOne(app, 'tag', 'bob')).toMatchObject({ operations: [], keys: [] });
    expect((await describeOne(app, 'tag', 'bob')).fields.flatMap(({ rights }) => rights)).toEqual([]);
    expect(await describeOne(app, 'post', 'ada')).toEqual(ada);
    expect((await describeOne(app, 'tag', 'ada')).operations).toContain('deleteMany');
  });

  it('answers with 500 if a rule throws, and not with all rights', async () => {
    const app = await start({
      rules: {
        'Tag': {
          read: () => {
            throw new Error('No session.');
          },
        },
        '*': true,
      },
    });
    expect((await app.rpc.send({ method: 'GET', path: '/$describe' })).status).toBe(500);
    expect((await describeOne(app, 'post')).operations).toContain('findMany');
  });

  it('passes the interceptors of the module, which may change a copy of it', async () => {
    const { map } = await import('rxjs');
    const app = await start({
      interceptors: [
        {
          intercept: (_context, next) =>
            next.handle().pipe(
              map((reply: { body?: unknown }) => {
                (reply.body as { data: { models: unknown[] } }).data.models.length = 0;
                return reply;
              }),
            ),
        },
      ],
    });
    for (let time = 0; time < 2; time += 1) {
      expect((await app.rpc.send({ method: 'GET', path: '/$describe/post' })).data).toMatchObject({ models: [] });
    }
  });
});
