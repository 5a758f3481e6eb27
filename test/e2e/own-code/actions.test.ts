import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type CanActivate, ConflictException, type ExecutionContext, Injectable, Module, Scope } from '@nestjs/common';
import { MinLength } from 'class-validator';
import { z } from 'zod';
import {
  type ActionOf,
  createOpenApiDocument,
  describeSurface,
  type PlatformRequest,
  RESOURCE_MODEL,
  ResourceAction,
  ResourceActions,
  type ResourceModel,
  type ResourceOperation,
  resourceOperation,
  type RulesOption,
} from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { refusalOf } from '../rest/write-suite.js';

interface CallerRequest extends PlatformRequest {
  callerId?: number;
}

type Of<Body = undefined> = ActionOf<PrismaClient, 'Post', Body, CallerRequest>;

const operations: (ResourceOperation | undefined)[] = [];
const records: unknown[] = [];

class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    request.callerId = Number(request.headers['x-user-id'] ?? 0);
    operations.push(resourceOperation(context));
    return request.headers['x-guest'] === undefined;
  }
}

class PublishDto {
  @MinLength(3, { message: 'note is too short' })
  note!: string;
}

@Injectable()
class Suffix {
  readonly text = '!';
}

const Before = z.object({ before: z.number().int() });

@ResourceActions('Post')
class PostActions {
  constructor(private readonly suffix: Suffix) {}

  @ResourceAction({ on: 'record', right: 'update', body: PublishDto })
  publish({ record, body, client, request }: Of<PublishDto>): unknown {
    records.push({ record, callerId: request.callerId });
    return client.post.update({ where: { id: record.id }, data: { published: true, content: body.note + this.suffix.text } });
  }

  @ResourceAction({ right: 'read' })
  async stats({ record, client }: Of): Promise<unknown> {
    return { comments: await client.comment.count({ where: { postId: record.id } }), since: record.createdAt };
  }

  @ResourceAction({ on: 'collection', right: 'delete', body: Before })
  async purge({ body, client, record }: Of<z.infer<typeof Before>>): Promise<unknown> {
    expect(record).toBeUndefined();
    return (await client.post.deleteMany({ where: { id: { lt: body.before }, comments: { none: {} } } })).count;
  }

  @ResourceAction()
  touch(_: Of): void {
    return undefined;
  }

  @ResourceAction()
  async fail({ record, client }: Of): Promise<void> {
    await client.post.update({ where: { id: record.id }, data: { title: 'kept?' } });
    throw new ConflictException('Not today.');
  }

  @ResourceAction()
  async hush({ client }: Of): Promise<void> {
    await client.post.create({ data: { title: 'stolen', authorId: 3 } }).catch(() => undefined);
  }

  @ResourceAction()
  steal({ client }: Of): unknown {
    return client.post.create({ data: { title: 'stolen', authorId: 3 } });
  }
}

@Module({ providers: [PostActions, Suffix] })
class ApplicationModule {}

/** All callers read published posts, and write their own. */
const RULES: RulesOption = {
  'Post': {
    'read': ({ callerId = 0 }: CallerRequest) => ({ OR: [{ published: true }, { authorId: callerId }] }),
    '*': ({ callerId = 0 }: CallerRequest) => ({ authorId: callerId }),
  },
  '*': true,
};

onPlatforms('actions of an application', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  let own: { id: number; createdAt: Date };
  let alien: { id: number };
  let draft: { id: number };
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({
      platform,
      database,
      options: { rules: RULES, guards: [CallerGuard], resources: { Comment: { actions: ['read'] } } },
      imports: [ApplicationModule],
    });
  });
  beforeEach(async () => {
    await database.reset();
    operations.length = 0;
    records.length = 0;
    const { post } = database.prisma;
    own = await post.findFirstOrThrow({ where: { authorId: 2 }, orderBy: { id: 'asc' } });
    alien = await post.findFirstOrThrow({ where: { authorId: { not: 2 }, published: true } });
    draft = await post.findFirstOrThrow({ where: { authorId: { not: 2 }, published: false } });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const AS_2 = { 'x-user-id': '2' };
  const rest = (path: string, body?: unknown, type = 'application/json'): ReturnType<typeof app.rest.request> =>
    app.rest.request('POST', path, {
      headers: { ...AS_2, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
  const rpc = (name: string, args?: object, headers: Readonly<Record<string, string>> = AS_2): ReturnType<typeof app.rpc.call> =>
    app.rpc.call(`post/${name}`, args ?? {}, { method: 'POST', headers });

  it('that return a record of the model answer REST with its resource, with the included resources and fields of the query', async () => {
    const { status, one, document } = await rest(`/post/${own.id}/publish?include=author&fields[post]=content,published,author`, {
      note: 'Done',
    });
    expect(status).toBe(200);
    expect(one).toMatchObject({ type: 'post', id: own.id, attributes: { content: 'Done!', published: true } });
    expect(document.included).toHaveLength(1);
    expect(records).toEqual([
      { record: await database.prisma.post.findUnique({ where: { id: own.id } }).then((row) => ({ ...row, ...before(row) })), callerId: 2 },
    ]);
  });

  /** The values that the action changes, as they were before. */
  const before = (row: object | null): object => {
    const { record } = (records[0] ?? {}) as { record: { content: string | null; published: boolean; updatedAt: Date } };
    expect(row).not.toBeNull();
    return { content: record.content, published: record.published, updatedAt: record.updatedAt };
  };

  it('read their arguments also from meta of a JSON:API document', async () => {
    const { status } = await rest(`/post/${own.id}/publish`, { meta: { note: 'Done' } }, 'application/vnd.api+json');
    expect(status).toBe(200);
    const refused = await rest(`/post/${own.id}/publish`, { meta: { note: 'x' } }, 'application/vnd.api+json');
    expect(refusalOf(refused)).toEqual([422, 'validation-error /meta/note']);
    expect((await rest(`/post/${own.id}/publish`, { data: null }, 'application/vnd.api+json')).status).toBe(400);
  });

  it('that return a record of the model answer RPC with its row, without hidden fields', async () => {
    const { status, data } = await rpc('publish', { where: { id: own.id }, args: { note: 'Done' } });
    expect(status).toBe(200);
    expect(data).toMatchObject({ id: own.id, content: 'Done!', createdAt: own.createdAt });
  });

  it('that return anything else answer with it as data', async () => {
    const comments = await database.prisma.comment.count({ where: { postId: own.id } });
    const data = { comments, since: own.createdAt.toISOString() };
    expect((await rest(`/post/${own.id}/stats`)).document).toEqual({ jsonapi: { version: '1.1' }, meta: data });
    expect((await rpc('stats', { where: { id: own.id } })).data).toEqual(data);
    expect((await rest(`/post/${own.id}/touch`)).status).toBe(204);
    expect((await rpc('touch', { where: { id: own.id } })).data).toBeNull();
  });

  it('may belong to the collection', async () => {
    const where = { authorId: 2, comments: { none: {} } };
    const purged = await database.prisma.post.count({ where });
    expect((await rest('/post/purge', { before: 10_000 })).document).toMatchObject({ meta: { result: purged } });
    expect(await database.prisma.post.count({ where })).toBe(0);
    expect((await rpc('purge', { args: { before: 10_000 } })).data).toBe(0);
    expect((await rpc('purge', { where: { id: 1 }, args: { before: 1 } })).status).toBe(400);
  });

  it('reject an invalid body with the path of each fault', async () => {
    expect(refusalOf(await rest(`/post/${own.id}/publish`, { note: 'x' }))).toEqual([422, 'validation-error /note']);
    expect(refusalOf(await rest(`/post/${own.id}/publish`, { note: 'long', more: 1 }))).toEqual([422, 'validation-error /more']);
    expect(refusalOf(await rest(`/post/${own.id}/stats`, { more: 1 }))).toEqual([422, 'validation-error /more']);
    const { status, error } = await rpc('publish', { where: { id: own.id }, args: { note: 'x' } });
    expect([status, error.message]).toEqual([400, 'args.note: note is too short.']);
    expect((await rpc('publish', { where: { id: own.id }, args: { note: 'long' }, more: 1 })).error.message).toContain("'more'");
    expect((await rpc('publish', { args: { note: 'long' } })).error.message).toContain('where is missing');
    expect(records).toEqual([]);
  });

  it('answer with 404 for an unreadable record, and with 403 if a rule denies the right that the action needs', async () => {
    expect((await rest(`/post/${draft.id}/publish`, { note: 'Mine' })).status).toBe(404);
    expect((await rest(`/post/${alien.id}/publish`, { note: 'Mine' })).status).toBe(403);
    expect((await rest(`/post/${alien.id}/stats`)).status).toBe(200);
    expect((await rpc('publish', { where: { id: draft.id }, args: { note: 'Mine' } })).status).toBe(404);
    expect((await rpc('publish', { where: { id: alien.id }, args: { note: 'Mine' } })).status).toBe(403);
    expect(records).toEqual([]);
  });

  it('write under the rules, and are rolled back if a rule rejects a write or the method throws', async () => {
    expect((await rest(`/post/${own.id}/steal`)).status).toBe(403);
    expect((await rest(`/post/${own.id}/hush`)).status).toBe(403);
    expect(await database.prisma.post.count({ where: { title: 'stolen' } })).toBe(0);
    const { status, error } = await rpc('fail', { where: { id: own.id } });
    expect([status, error.message]).toEqual([409, 'Not today.']);
    expect(await database.prisma.post.count({ where: { title: 'kept?' } })).toBe(0);
  });

  it('have their name and their required right in the operation that guards receive', async () => {
    await rest(`/post/${own.id}/stats`);
    await rpc('purge', { args: { before: 0 } });
    expect(operations).toEqual([
      { style: 'rest', model: 'Post', operation: 'stats', action: 'stats', actions: ['read'] },
      { style: 'rpc', model: 'Post', operation: 'purge', action: 'purge', actions: ['delete'] },
    ]);
    expect((await rpc('touch', { where: { id: own.id } }, { ...AS_2, 'x-guest': 'yes' })).status).toBe(403);
  });

  it('are found only by POST, at the path of their record or collection, and not in a batch', async () => {
    expect((await app.rest.get(`/post/${own.id}/publish`, AS_2)).status).toBe(404);
    expect((await rest('/post/publish', { note: 'Done' })).status).toBe(405);
    expect((await rest(`/post/${own.id}/purge`, { before: 1 })).status).toBe(405);
    expect((await rest(`/post/${own.id}/author`)).status).toBe(405);
    expect((await app.rpc.call('post/publish', { where: { id: own.id } }, { headers: AS_2 })).status).toBe(400);
    expect((await app.rpc.call('user/publish', {}, { method: 'POST', headers: AS_2 })).status).toBe(400);
    expect((await app.rpc.sequential([{ model: 'post', op: 'touch', args: { where: { id: own.id } } }], AS_2)).status).toBe(400);
  });

  it('are paths of the OpenAPI document, with the schemas of their bodies', () => {
    const { paths } = createOpenApiDocument(app.nest, { title: 'x', version: '1' });
    const publish = paths['/api/rest/post/{id}/publish'];
    const schema = expect.objectContaining({ properties: { note: expect.objectContaining({ minLength: 3 }) as unknown } }) as unknown;
    expect(publish?.post).toMatchObject({
      operationId: 'publishPost',
      requestBody: { required: true, content: { 'application/json': { schema } } },
    });
    expect(publish?.parameters).toHaveLength(1);
    expect(paths['/api/rest/post/purge']?.post?.requestBody).toMatchObject({
      content: { 'application/json': { schema: { properties: { before: { maximum: 9007199254740991 } }, required: ['before'] } } },
    });
    expect(paths['/api/rest/post/{id}/stats']?.post).not.toHaveProperty('requestBody');
    const args = { where: expect.anything() as unknown, args: schema };
    const { requestBody } = paths['/api/rpc/post/publish']?.post ?? {};
    expect(requestBody).toMatchObject({ content: { 'application/json': { schema: { properties: args, required: ['where'] } } } });
  });

  it('are listed by describeSurface', () => {
    const entries = describeSurface(app.nest.get<ResourceModel>(RESOURCE_MODEL));
    expect(entries.find(({ model }) => model === 'Post')?.ownActions).toContainEqual({ name: 'purge', on: 'collection', right: 'delete' });
    expect(entries.find(({ model }) => model === 'User')).not.toHaveProperty('ownActions');
  });

  it.each([
    ['a relationship', 'author', /is called as a field/],
    ['a field', 'title', /is called as a field/],
    ['an operation', 'findMany', /is called as a field, a relationship or an operation/],
  ])('are a configuration error at start if they have the name of %s', async (_, name, message) => {
    @ResourceActions('Post')
    class Clashing {}
    Object.defineProperty(Clashing.prototype, name, { value: () => undefined });
    const method = Object.getOwnPropertyDescriptor(Clashing.prototype, name);
    if (method) ResourceAction()(Clashing.prototype, name, method);
    @Module({ providers: [Clashing] })
    class ClashingModule {}
    await expect(startTestApp({ platform, database, imports: [ClashingModule] })).rejects.toThrow(message);
  });

  it('are a configuration error at start in a request-scoped provider', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Requested {}
    @ResourceActions('Post')
    class Scoped {
      constructor(readonly requested: Requested) {}
      @ResourceAction()
      go(): void {
        return undefined;
      }
    }
    @Module({ providers: [Requested, Scoped] })
    class ScopedModule {}
    await expect(startTestApp({ platform, database, imports: [ScopedModule] })).rejects.toThrow(/Scoped\.go is an action of a provider/);
  });
});
