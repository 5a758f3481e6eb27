import type { INestApplication, NestInterceptor } from '@nestjs/common';
import { type ApiReply, ResourceApiModule } from 'nestjs-resource-api';
import { connect } from 'node:net';
import { map } from 'rxjs';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

const JSON_API = 'application/vnd.api+json';
const options = { schema: tinySchema, getClient: () => fakeClient(), rest: { prefix: 'api/rest', endpoint }, rpc: { prefix: 'api/rpc' } };

/** Headers of the platform itself. */
const OF_THE_PLATFORM = ['x-powered-by', 'date', 'connection', 'keep-alive'];

describe.each(PLATFORMS)('responses on %s', (platform) => {
  const start = (configure?: (app: INestApplication) => void) =>
    startTinyApp(platform, [ResourceApiModule.forRoot(options)], configure ? { configure } : {});

  it.each([
    ['/api/rest/post', 'Accept, Authorization, Cookie'],
    ['/api/rpc/post/findMany', 'Authorization, Cookie'],
  ])('of %s have Cache-Control: private, no-cache, Vary and an ETag', async (path, vary) => {
    const { http } = await start();
    const { headers } = await http.get(path).expect(200);
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary });
    expect(headers['etag']).toMatch(/^W\/"[\w-]+"$/);
    const refused = await http.get(`${path}?nonsense=1`).expect(400);
    expect(refused.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary });
    expect(refused.headers).not.toHaveProperty('etag');
  });

  it('to a matching If-None-Match are 304, only for GET and HEAD', async () => {
    const { http } = await start();
    const etag = String((await http.get('/api/rest/post')).headers['etag']);
    for (const tag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const { text, headers } = await http.get('/api/rest/post').set('If-None-Match', tag).expect(304);
      expect([text, headers['etag'], headers['cache-control']]).toEqual(['', etag, 'private, no-cache']);
      expect(headers).not.toHaveProperty('content-type');
      await http.head('/api/rest/post').set('If-None-Match', tag).expect(304);
    }
    await http.get('/api/rest/post').set('If-None-Match', '"other"').expect(200);
    await http.get('/api/rest/post?sort=title').set('If-None-Match', etag).expect(200);
    await http.get('/api/rest/post?sort=nonsense').set('If-None-Match', '*').expect(400);
    const post = await http.post('/api/rpc/post/findMany').set('X-HTTP-Method-Override', 'GET').send({}).expect(200);
    expect(post.headers['etag']).toMatch(/^W/);
  });

  it('to HEAD have the headers of GET and no body', async () => {
    const { http } = await start();
    const { headers, text } = await http.get('/api/rest/post').expect(200);
    const head = await http.head('/api/rest/post').expect(200);
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text));
    expect(withoutPlatform(head.headers)).toEqual(withoutPlatform(headers));
    expect(head.text).toBeUndefined();
  });

  it('have X-Content-Type-Options: nosniff, also errors and 304s', async () => {
    const { http } = await start();
    for (const path of ['/api/rest/post', '/api/rest/post?nonsense=1', '/api/rest/nonsense', '/api/rpc/post/findMany', '/api/rpc/a/b/c']) {
      expect([path, (await http.get(path)).headers['x-content-type-options']]).toEqual([path, 'nosniff']);
    }
    const etag = String((await http.get('/api/rest/post')).headers['etag']);
    const notModified = await http.get('/api/rest/post').set('If-None-Match', etag).expect(304);
    expect(notModified.headers['x-content-type-options']).toBe('nosniff');
    const broken = await http.post('/api/rest/post').set('Content-Type', JSON_API).send('{').expect(400);
    expect(broken.headers['x-content-type-options']).toBe('nosniff');
  });

  it('keep Cache-Control, Vary and ETag that the application has set', async () => {
    const { http } = await start((app) =>
      app.use((_request: unknown, response: { setHeader: (name: string, value: string) => void }, next: () => void) => {
        response.setHeader('Cache-Control', 'no-store');
        response.setHeader('Vary', 'Origin');
        next();
      }),
    );
    const { headers } = await http.get('/api/rest/post').expect(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'vary': 'Origin, Accept, Authorization, Cookie' });
    const stamp: NestInterceptor<ApiReply, ApiReply> = {
      intercept: (_, next) =>
        next
          .handle()
          .pipe(map((reply) => ({ ...reply, headers: { 'Cache-Control': 'max-age=60', 'ETag': '"v1"', 'Content-Type': 'text/csv' } }))),
    };
    const stamped = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, interceptors: [stamp] })]);
    const answer = await stamped.http.get('/api/rest/post').expect(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'max-age=60', 'etag': '"v1"', 'content-type': 'text/csv' });
    await stamped.http.get('/api/rest/post').set('If-None-Match', 'W/"v1"').expect(304);
  });

  it('may be bytes that an interceptor of the module returns', async () => {
    const csv: NestInterceptor<ApiReply, ApiReply> = {
      intercept: (_, next) =>
        next.handle().pipe(map((reply) => ({ ...reply, headers: { 'Content-Type': 'text/csv' }, body: Buffer.from('id\n1\n') }))),
    };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, interceptors: [csv] })]);
    const { text } = await http.get('/api/rest/post').expect(200).expect('Content-Length', '5');
    expect(text).toBe('id\n1\n');
  });

  it.each<[string, (reply: ApiReply) => ApiReply, (text: string) => string]>([
    ['reads the body', (reply) => (JSON.stringify(reply.body) === '' ? { status: 500 } : reply), (text) => text],
    ['copies the reply', (reply) => ({ ...reply, headers: { 'X-Copied': 'yes' } }), (text) => text],
    ['assigns to the reply', (reply) => Object.assign(reply, { headers: { 'X-Assigned': 'yes' } }), (text) => text],
    ['assigns another body', (reply) => Object.assign(reply, { body: { data: null } }), () => '{"data":null}'],
    [
      'changes the body in its place',
      (reply) => {
        Object.assign(reply.body as object, { jsonapi: { version: '1.1', meta: { seen: true } } });
        return reply;
      },
      (text) => text.replace('"1.1"', '"1.1","meta":{"seen":true}'),
    ],
  ])('are the reply of an interceptor that %s', async (_, change, expected) => {
    const plain = await (await start()).http.get('/api/rest/post').expect(200);
    const interceptor: NestInterceptor<ApiReply, ApiReply> = { intercept: (_context, next) => next.handle().pipe(map(change)) };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, interceptors: [interceptor] })]);
    const text = expected(plain.text);
    const answer = await http
      .get('/api/rest/post')
      .expect(200)
      .expect('Content-Length', String(Buffer.byteLength(text)));
    expect(answer.text).toBe(text);
    expect(answer.headers['etag'] === plain.headers['etag']).toBe(text === plain.text);
  });

  it.each([
    ['/api/rest/post', 'errors.0.detail'],
    ['/api/rpc/post/findMany', 'message'],
  ])('larger than limits.maxResponseSize are errors that name it: %s', async (path, member) => {
    const client = fakeClient('x'.repeat(3000));
    const limited = { ...options, getClient: () => client, limits: { maxResponseSize: '2kb' } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(limited)]);
    const { body } = await http.get(path).expect(400);
    expect(body).toHaveProperty(member, expect.stringContaining('limits.maxResponseSize allows: 2kb'));
  });

  it.each([
    ['an unknown type', 'POST', '/api/rest/post/1/no/such/path', { 'Content-Type': 'text/weird' }, 'x'],
    ['an empty JSON body', 'POST', '/api/rest/post/1/no/such/path', { 'Content-Type': 'application/json' }, ''],
    ['an unknown type at an RPC path', 'PUT', '/api/rpc/post', { 'Content-Type': 'text/weird' }, 'x'],
    ['an unknown model', 'POST', '/api/rest/nothing/1/2/3/4', { 'Content-Type': 'text/weird' }, 'x'],
    ['a content type that is none', 'POST', '/api/rest/no/such/path/at/all', { 'Content-Type': '/' }, 'x'],
  ])('to unknown paths have the format of the style, with a body of %s', async (_, method, path, headers, body) => {
    const { http } = await start();
    const response = await http[method.toLowerCase() as 'post'](path).set(headers).send(body);
    expect(response.status).toBe(path.includes('/rpc/') ? 400 : 404);
    expect(response.headers['content-type']).toBe(path.includes('/rpc/') ? 'application/json; charset=utf-8' : JSON_API);
  });

  it.each(['/api/rest/post', '/api/rpc/post/findMany?q=%7B%7D'])('are sent for an absolute-form request target: %s', async (path) => {
    const { app } = await start();
    await app.listen(0, '127.0.0.1');
    const [head = '', body = ''] = await raw(app, `GET http://api.test${path} HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n`);
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(JSON.parse(body)).toHaveProperty('data');
    const text = '{"data":{"type":"user"}}';
    const post = `POST http://api.test/api/rest/post HTTP/1.1\r\nHost: api.test\r\nContent-Type: ${JSON_API}\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`;
    const [refused = ''] = await raw(app, post);
    expect(refused).toMatch(/^HTTP\/1\.1 409 /);
    const [unknown = ''] = await raw(app, `GET http://api.test/api/rest HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n`);
    expect(unknown).toMatch(/^HTTP\/1\.1 404 [\s\S]*application\/vnd\.api\+json/i);
  });
});

it('have equal headers on both platforms', async () => {
  const [express, fastify] = await Promise.all(
    PLATFORMS.map(async (platform) => {
      const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)]);
      const answers = [
        await http.get('/api/rest/post'),
        await http.head('/api/rest/post'),
        await http.get('/api/rest/post/1/nope'),
        await http.get('/api/rest/post').set('If-None-Match', '*'),
        await http.options('/api/rest/post'),
        await http.put('/api/rest/post'),
        await http.get('/api/rest'),
        await http.get('/api/rpc/post/findMany'),
        await http.get('/api/rpc/post/findMany').query({ q: '{' }),
        await http.post('/api/rpc/$transaction/sequential').send([{ model: 'post', op: 'findMany' }]),
      ];
      return answers.map(({ status, headers }) => [status, withoutPlatform(headers)]);
    }),
  );
  expect(fastify).toEqual(express);
});

function withoutPlatform(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_PLATFORM.includes(name)));
}

/** Sends raw bytes, and returns head and body of the response. */
function raw(app: INestApplication, text: string): Promise<readonly string[]> {
  const { port } = app.getHttpServer().address();
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(answer.split('\r\n\r\n', 2));
    });
  });
}
