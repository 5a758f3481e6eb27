import {
  BadRequestException,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpException,
  Injectable,
  Module,
  type NestInterceptor,
  type PipeTransform,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { type ApiReply, ResourceApiModule, type ResourceOperation, resourceOperation } from 'nestjs-resource-api';
import { map, type Observable } from 'rxjs';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

const options = { schema: tinySchema, getClient: () => fakeClient(), rest: { prefix: 'api/rest', endpoint }, rpc: { prefix: 'api/rpc' } };

/** Records the operation of every request. */
@Injectable()
class Recorder implements CanActivate {
  readonly seen: (ResourceOperation | undefined)[] = [];
  canActivate(context: ExecutionContext): boolean {
    this.seen.push(resourceOperation(context));
    return true;
  }
}

class Refuse implements CanActivate {
  constructor(private readonly error: Error | undefined) {}
  canActivate(context: ExecutionContext): boolean {
    if (this.error === undefined) return false;
    if (this.error instanceof UnauthorizedException) {
      const response = context.switchToHttp().getResponse();
      if ('header' in response) response.header('WWW-Authenticate', 'Bearer');
    }
    throw this.error;
  }
}

@Controller('hello')
class HostController {
  @Get()
  hello(): string {
    return 'world';
  }
}

@Module({ controllers: [HostController], providers: [Recorder, { provide: APP_GUARD, useExisting: Recorder }] })
class ApplicationModule {}

describe.each(PLATFORMS)('enhancers on %s', (platform) => {
  it.each([
    ['GET', '/api/rest/post', { model: 'Post', operation: 'fetchCollection', action: 'read' }],
    ['HEAD', '/api/rest/post', { model: 'Post', operation: 'fetchCollection', action: 'read' }],
    ['POST', '/api/rest/POST', { model: 'Post', operation: 'createResource', action: 'create' }],
    ['GET', '/api/rest/post/1', { model: 'Post', operation: 'fetchResource', action: 'read' }],
    ['PUT', '/api/rest/post/1', { model: 'Post', operation: 'updateResource', action: 'update' }],
    ['DELETE', '/api/rest/post/1', { model: 'Post', operation: 'deleteResource', action: 'delete' }],
    ['GET', '/api/rest/post/1/author', { model: 'Post', operation: 'fetchRelated', action: 'read', relationship: 'author' }],
    [
      'DELETE',
      '/api/rest/user/1/relationships/posts',
      { model: 'User', operation: 'removeFromRelationship', action: 'update', relationship: 'posts' },
    ],
    ['GET', '/api/rest/constructor', { model: undefined, operation: 'fetchCollection', action: 'read' }],
    ['GET', '/api/rpc/post/findMany', { model: 'Post', operation: 'findMany', action: 'read' }],
    ['POST', '/api/rpc/post/upsert', { model: 'Post', operation: 'upsert', actions: ['create', 'update'] }],
    ['GET', '/api/rpc/post/__proto__', { model: 'Post', operation: undefined, action: undefined }],
  ])('pass the operation of %s %s to a guard', async (method, path, expected) => {
    const guard = new Recorder();
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, guards: [guard] })]);
    await (method === 'GET'
      ? http.get(path)
      : method === 'HEAD'
        ? http.head(path)
        : method === 'POST'
          ? http.post(path)
          : method === 'PUT'
            ? http.put(path)
            : http.delete(path));
    expect(guard.seen).toEqual([expect.objectContaining(expected)]);
  });

  const UPSERT = { operation: 'upsert', matchFields: ['id'] };

  it.each([
    ['an upsert', { data: { type: 'post' }, meta: UPSERT }, ['create', 'update']],
    ['an upsert with metadata', { data: { type: 'post' }, meta: { ...UPSERT, serialization: { values: {} } } }, ['create', 'update']],
    ['an upsert of nothing', { data: null, meta: UPSERT }, ['create', 'update']],
    ['a create', { data: { type: 'post' }, meta: { operation: 'create' } }, ['create']],
    ['a document without meta', { data: { type: 'post' } }, ['create']],
    ['meta that is none', { data: { type: 'post' }, meta: 'upsert' }, ['create']],
    ['no document', [1], ['create']],
    ['no JSON', '{', ['create']],
  ])('pass all actions of %s to a guard', async (_, body, actions) => {
    const guard = new Recorder();
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, guards: [guard] })]);
    const send = http.post('/api/rest/post').set('Content-Type', 'application/vnd.api+json');
    await send.send(typeof body === 'string' ? body : JSON.stringify(body));
    expect(guard.seen).toEqual([expect.objectContaining({ operation: 'createResource', action: 'create', actions })]);
  });

  it('pass create and update as actions of an upsert in a batch to a guard', async () => {
    const guard = new Recorder();
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, guards: [guard] })]);
    await http.post('/api/rpc/$transaction/sequential').send([{ model: 'post', op: 'upsert', args: {} }]);
    expect(guard.seen).toEqual([expect.objectContaining({ model: 'Post', operation: 'upsert', actions: ['create', 'update'] })]);
  });

  it('pass an operation to a global guard only for routes of the API', async () => {
    const { http, app } = await startTinyApp(platform, [ApplicationModule, ResourceApiModule.forRoot(options)]);
    await http.get('/hello').expect(200);
    await http.get('/api/rest/post').expect(200);
    expect(app.get(Recorder).seen).toEqual([undefined, expect.objectContaining({ model: 'Post' })]);
  });

  it('pass the operations of a batch to a global guard', async () => {
    const { http, app } = await startTinyApp(platform, [ApplicationModule, ResourceApiModule.forRoot(options)]);
    await http.post('/api/rpc/$transaction/sequential').send([
      { model: 'Post', op: 'findMany' },
      { model: 'user', op: 'delete' },
    ]);
    const [operation] = app.get(Recorder).seen;
    expect(operation).toMatchObject({ style: 'rpc', operation: '$transaction/sequential', actions: [] });
    expect([operation?.model, operation?.action]).toEqual([undefined, undefined]);
    expect(operation?.batch).toEqual([
      expect.objectContaining({ model: 'Post', action: 'read' }),
      expect.objectContaining({ model: 'User', action: 'delete' }),
    ]);
  });

  it('run the guard for every variant of a path that is served', async () => {
    const guard = new Recorder();
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, guards: [guard] })]);
    for (const path of [
      '/API/rest/post',
      '/api/rest/post/',
      '/api//rest/post',
      '/%61pi/rest/post',
      '/api/rest/post;x=1',
      '/api/rest/po%73t',
      '/api%2Frest/post',
    ]) {
      guard.seen.length = 0;
      const { status } = await http.get(path);
      if (status === 200) expect(guard.seen).toEqual([expect.objectContaining({ model: 'Post', action: 'read' })]);
      else expect(status).toBe(404);
    }
  });

  it.each([
    [new ForbiddenException('Members only'), 403, 'forbidden', 'Members only.'],
    [new UnauthorizedException('Who are you?'), 401, 'unauthorized', 'Who are you?'],
    [new HttpException('Slow down', 429), 429, 'too-many-requests', 'Slow down.'],
    [new BadRequestException(['a', 'b']), 400, 'bad-request', 'a.'],
    [undefined, 403, 'forbidden', 'Forbidden resource.'],
  ])("answer a guard's %p in the style's format", async (error, status, code, detail) => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, guards: [new Refuse(error)] })]);
    const rest = await http.get('/api/rest/post').expect(status).expect('Content-Type', 'application/vnd.api+json');
    expect(rest.body.errors[0]).toMatchObject({ status, code, detail });
    const rpc = await http
      .get('/api/rpc/post/findMany')
      .expect(status)
      .expect('Content-Type', /^application\/json/);
    expect(rpc.body.error.message).toContain(detail);
    if (status === 401) expect(rest.headers['www-authenticate']).toBe('Bearer');
  });

  it('run guards before the body is parsed', async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, guards: [new Refuse(undefined)] })]);
    await http.post('/api/rest/post').set('Content-Type', 'application/json').send('{').expect(403);
  });

  it('pass the reply to interceptors, which may change it before it is sent', async () => {
    class Stamp implements NestInterceptor<ApiReply, ApiReply> {
      intercept(_context: ExecutionContext, next: CallHandler<ApiReply>): Observable<ApiReply> {
        return next.handle().pipe(map((reply) => ({ ...reply, headers: { ...reply.headers, 'X-Stamp': 'seen' } })));
      }
    }
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, interceptors: [Stamp] })]);
    await http.get('/api/rest/post').expect(200).expect('X-Stamp', 'seen');
  });

  it('run pipes on the parameters of paths', async () => {
    class Rename implements PipeTransform {
      transform(value: unknown): unknown {
        return typeof value === 'object' && value !== null && 'type' in value ? { ...value, type: 'post' } : value;
      }
    }
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, pipes: [new Rename()] })]);
    await http.get('/api/rest/article').expect(200);
  });
});
