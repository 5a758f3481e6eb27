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
  it('serves RPC without the options rest and rpc', async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...base })]);
    await http.get(rpcList).expect(200, { data: [{ id: 1, title: 'Hello', authorId: 2 }] });
  });

  it('serves only REST if only the option rest is set', async () => {
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

  it('routes to the longer prefix if one contains the other', async () => {
    const options = { ...base, rest: { prefix: 'api', endpoint }, rpc: { prefix: 'api/rpc' } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)]);
    await http.get('/api/post').expect(200).expect('Content-Type', 'application/vnd.api+json');
    await http
      .get(`/api/rpc${rpcList}`)
      .expect(200)
      .expect('Content-Type', /^application\/json/);
  });

  it('can be imported several times, each with a different data client', async () => {
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
  ])('reads its options from %s', async (_, factory) => {
    const mount = { rest: { prefix: 'api/rest' }, rpc: { prefix: 'api/rpc' } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRootAsync({ ...mount, ...factory })]);
    await http.get('/api/rest/post').expect(200);
    await http.get(`/api/rpc${rpcList}`).expect(200);
  });

  it("is below Nest's global prefix and URI version", async () => {
    const options = { ...base, rest: { prefix: 'rest', endpoint } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)], {
      configure: (app) => app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, defaultVersion: '2' }),
    });
    await http.get('/api/v2/rest/post').expect(200);
    await http.get('/api/rest/post').expect(404);
    const body = { data: { type: 'post', attributes: { wrong: 1 } } };
    await http.post('/api/v2/rest/post').set('Content-Type', 'application/vnd.api+json').send(JSON.stringify(body)).expect(400);
  });

  it('is not below the global prefix if the application excludes it', async () => {
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

  it("is below RouterModule's path", async () => {
    const mounted = ResourceApiModule.forRoot({ ...base, rest: { prefix: 'rest', endpoint } });
    const { http } = await startTinyApp(platform, [mounted, RouterModule.register([{ path: 'admin', module: ResourceApiModule }])]);
    await http.get('/admin/rest/post').expect(200);
  });

  it("answers unknown paths below its prefix in the style's format, and leaves all others to Nest", async () => {
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

  it('without a prefix, serves beside the routes of the application', async () => {
    const { http } = await startTinyApp(platform, [ApplicationModule, ResourceApiModule.forRoot({ ...base, rest: { endpoint } })]);
    await http.get('/hello').expect(200, 'world');
    await http.get('/post').expect(200);
    await http.get('/a/b/c/d/e').expect(404, { message: 'Cannot GET /a/b/c/d/e', error: 'Not Found', statusCode: 404 });
  });

  it('does not parse bodies of other routes below its prefix', async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...base, rest: { prefix: 'api', endpoint } }), EchoModule]);
    await http.post('/api/echo').send({ a: 1 }).expect(201, { a: 1 });
    await http.post('/api/echo').type('form').send({ a: '1' }).expect(201, { a: '1' });
    await http.post('/api/echo').set('Content-Type', 'application/json').send('{').expect(400);
    await http.get('/api/post').expect(200);
  });

  it('without a prefix, does not override routes of modules that are imported after it', async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...base }), EchoModule, ApplicationModule]);
    await http.post('/api/echo').send({ a: 1 }).expect(201, { a: 1 });
    await http.get('/hello').expect(200, 'world');
    await http.get(rpcList).expect(200);
  });

  it.each([
    ['inner', ['api/admin', 'api']],
    ['outer', ['api', 'api/admin']],
  ])('serves a prefix within another one, with the %s imported first', async (_, prefixes) => {
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

  it('answers a wrong method with 405 and Allow, and OPTIONS with Allow', async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ ...base, rest: { prefix: 'api/rest', endpoint } })]);
    const { body } = await http.delete('/api/rest/post').expect(405).expect('Allow', 'GET, HEAD, POST, QUERY');
    expect(body.errors[0]).toMatchObject({ code: 'invalid-verb', status: 405 });
    await http.options('/api/rest/post/1').expect(204).expect('Allow', 'GET, HEAD, PATCH, PUT, DELETE');
    await http.head('/api/rest/post').expect(200).expect('Content-Type', 'application/vnd.api+json');
  });
});
