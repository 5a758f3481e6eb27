import { Body, Controller, Get, Injectable, Module, Post, RequestMethod, VersioningType } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { ResourceApiModule, type ResourceApiFactoryOptions, type ResourceApiOptionsFactory } from 'nestjs-resource-api';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

const base = { schema: tinySchema, getClient: () => fakeClient() };
const rpcList = '/post/findMany';

@Controller('hello')
class HostController {
  @Get()
  hello(): string {
    return 'world';
  }
}

@Module({ controllers: [HostController] })
class ApplicationModule {}

@Controller('api/echo')
class EchoController {
  @Post()
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

@Injectable()
class OptionsFactory implements ResourceApiOptionsFactory {
  createResourceApiOptions(): Promise<ResourceApiFactoryOptions> {
    return Promise.resolve({ ...base, rest: { endpoint } });
  }
}

@Module({ providers: [OptionsFactory], exports: [OptionsFactory] })
class OptionsModule {}

describe.each(PLATFORMS)('ResourceApiModule on %s', (platform) => {
  it('serves RPC when no style is chosen', async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...base })]);
    await http.get(rpcList).expect(200, { data: [{ id: 1, title: 'Hello', authorId: 2 }] });
  });

  it('serves REST alone when only REST is chosen', async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...base, rest: { prefix: 'api/rest', endpoint } })]);
    await http.get('/api/rest/post').expect(200).expect('Content-Type', 'application/vnd.api+json');
    await http.get(rpcList).expect(404);
  });

  it('serves both styles under their prefixes', async () => {
    const options = { ...base, rest: { prefix: '/api/rest/', endpoint }, rpc: { prefix: 'api/rpc' } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)]);
    await http.get('/api/rest/post').expect(200);
    await http.get(`/api/rpc${rpcList}`).expect(200);
  });

  it('reaches the longer prefix when one lies inside the other', async () => {
    const options = { ...base, rest: { prefix: 'api', endpoint }, rpc: { prefix: 'api/rpc' } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)]);
    await http.get('/api/post').expect(200).expect('Content-Type', 'application/vnd.api+json');
    await http
      .get(`/api/rpc${rpcList}`)
      .expect(200)
      .expect('Content-Type', /^application\/json/);
  });

  it('mounts several times side by side, each with a data client of its own', async () => {
    const mount = (prefix: string) => ResourceApiModule.forRoot({ ...base, getClient: () => fakeClient(prefix), rpc: { prefix } });
    const { http } = await startTinyApp(platform, [mount('one'), mount('two')]);
    for (const prefix of ['one', 'two']) {
      const { body } = await http.get(`/${prefix}${rpcList}`).expect(200);
      expect(body.data[0].title).toBe(prefix);
      await http.post(`/${prefix}${rpcList}`).set('X-HTTP-Method-Override', 'GET').send({ take: 1 }).expect(200);
    }
  });

  it.each([
    ['useFactory', { useFactory: () => ({ ...base, rest: { endpoint } }) }],
    ['useClass', { useClass: OptionsFactory }],
    ['useExisting', { imports: [OptionsModule], useExisting: OptionsFactory }],
  ])('takes its options from %s', async (_, factory) => {
    const mount = { rest: { prefix: 'api/rest' }, rpc: { prefix: 'api/rpc' } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRootAsync({ ...mount, ...factory })]);
    await http.get('/api/rest/post').expect(200);
    await http.get(`/api/rpc${rpcList}`).expect(200);
  });

  it("mounts below Nest's global prefix and URI version", async () => {
    const options = { ...base, rest: { prefix: 'rest', endpoint } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)], {
      configure: (app) => app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, defaultVersion: '2' }),
    });
    await http.get('/api/v2/rest/post').expect(200);
    await http.get('/api/rest/post').expect(404);
    const body = { data: { type: 'post', attributes: { wrong: 1 } } };
    await http.post('/api/v2/rest/post').set('Content-Type', 'application/vnd.api+json').send(JSON.stringify(body)).expect(400);
  });

  it('is left out of the global prefix where the host excludes it', async () => {
    const options = { ...base, rest: { prefix: 'rest', endpoint } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)], {
      configure: (app) =>
        app.setGlobalPrefix('api', {
          exclude: [
            { path: 'rest', method: RequestMethod.ALL },
            { path: 'rest/{*path}', method: RequestMethod.ALL },
          ],
        }),
    });
    await http.get('/rest/post').expect(200);
    const body = { data: { type: 'post', attributes: { wrong: 1 } } };
    await http.post('/rest/post').set('Content-Type', 'application/vnd.api+json').send(JSON.stringify(body)).expect(400);
  });

  it("mounts below RouterModule's path", async () => {
    const mounted = ResourceApiModule.forRoot({ ...base, rest: { prefix: 'rest', endpoint } });
    const { http } = await startTinyApp(platform, [mounted, RouterModule.register([{ path: 'admin', module: ResourceApiModule }])]);
    await http.get('/admin/rest/post').expect(200);
  });

  it("answers unknown paths below its prefix in the style's shape, and leaves the host's to Nest", async () => {
    const options = { ...base, rest: { prefix: 'api/rest', endpoint }, rpc: { prefix: 'api/rpc' } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options), ApplicationModule]);
    for (const path of ['/api/rest', '/api/rest/', '/api/rest/post/1/relationships', '/api/rest/a/b/c/d/e']) {
      const { body } = await http.get(path).expect(404).expect('Content-Type', 'application/vnd.api+json');
      expect(body.errors[0].status).toBe(404);
    }
    const { body } = await http.get('/api/rpc/post').expect('Content-Type', /^application\/json/);
    expect(body).toMatchObject({ message: expect.any(String), error: { message: expect.any(String) } });
    await http.get('/hello').expect(200, 'world');
    await http.get('/nowhere').expect(404, { message: 'Cannot GET /nowhere', error: 'Not Found', statusCode: 404 });
  });

  it('shares the root with the host when it has no prefix', async () => {
    const { http } = await startTinyApp(platform, [ApplicationModule, ResourceApiModule.forRoot({ ...base, rest: { endpoint } })]);
    await http.get('/hello').expect(200, 'world');
    await http.get('/post').expect(200);
    await http.get('/a/b/c/d/e').expect(404, { message: 'Cannot GET /a/b/c/d/e', error: 'Not Found', statusCode: 404 });
  });

  it('leaves the bodies of host routes below its prefix to the host', async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...base, rest: { prefix: 'api', endpoint } }), EchoModule]);
    await http.post('/api/echo').send({ a: 1 }).expect(201, { a: 1 });
    await http.post('/api/echo').type('form').send({ a: '1' }).expect(201, { a: '1' });
    await http.post('/api/echo').set('Content-Type', 'application/json').send('{').expect(400);
    await http.get('/api/post').expect(200);
  });

  it("yields to the host's routes at the root, whichever module is imported first", async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...base }), EchoModule, ApplicationModule]);
    await http.post('/api/echo').send({ a: 1 }).expect(201, { a: 1 });
    await http.get('/hello').expect(200, 'world');
    await http.get(rpcList).expect(200);
  });

  it.each([
    ['inner', ['api/admin', 'api']],
    ['outer', ['api', 'api/admin']],
  ])('serves a mount inside another one, the %s imported first', async (_, prefixes) => {
    const client = fakeClient();
    client.post['create'] = () => Promise.resolve({ id: 1, title: 'New', authorId: 2 });
    const mounts = prefixes.map((prefix) => ResourceApiModule.forRoot({ ...base, getClient: () => client, rest: { prefix, endpoint } }));
    const { http } = await startTinyApp(platform, mounts);
    const body = JSON.stringify({ data: { type: 'post', attributes: { title: 'New', authorId: 2 } } });
    for (const path of ['/api/post', '/api/admin/post']) {
      await http.get(path).expect(200);
      const { status, body: answer } = await http.post(path).set('Content-Type', 'application/vnd.api+json').send(body);
      expect([status, answer.errors]).not.toEqual([415, expect.anything()]);
      expect(answer.errors?.[0]?.detail ?? '').not.toContain('has none');
    }
  });

  it('answers a wrong method 405 with Allow, and OPTIONS with what is allowed', async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...base, rest: { prefix: 'api/rest', endpoint } })]);
    const { body } = await http.delete('/api/rest/post').expect(405).expect('Allow', 'GET, HEAD, POST, QUERY');
    expect(body.errors[0]).toMatchObject({ code: 'invalid-verb', status: 405 });
    await http.options('/api/rest/post/1').expect(204).expect('Allow', 'GET, HEAD, PATCH, PUT, DELETE');
    await http.head('/api/rest/post').expect(200).expect('Content-Type', 'application/vnd.api+json');
  });
});
