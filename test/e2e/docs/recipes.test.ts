import { Controller, type DynamicModule, Get, Injectable, Module, ServiceUnavailableException, type Type } from '@nestjs/common';
import { HttpAdapterHost, REQUEST } from '@nestjs/core';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { DATA_CLIENT, InjectDataClient, ResourceApiModule } from 'nestjs-resource-api';
import { readFileSync } from 'node:fs';
import supertest from 'supertest';
import { runSnippet, snippetsOf } from '../../docs/page-snippets.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

const PAGE = 'docs/recipes.md';
const [several = '', overriding = '', health = '', , shutdown = ''] = snippetsOf(PAGE);

sample.omitted.describe('the recipe for soft deletion', () => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await database.reset();
  });
  afterEach(() => app.close());
  afterAll(() => database.close());

  const posts = async (path: string): Promise<readonly unknown[]> => (await app.rest.get(path)).ids;

  it('stores deleted rows in another table by a trigger', async () => {
    const { prisma } = database;
    const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8')) ?? [];
    const statements = sql.split(/;\n(?=\n|ALTER)/).filter((statement) => statement.trim() !== '');
    for (const statement of statements) await prisma.$executeRawUnsafe(statement);
    app = await startTestApp({ platform: 'express', database });
    try {
      await app.agent.delete('/api/rest/post/1').expect(204);
      expect(await posts('/user/1/posts')).toEqual([4, 7, 10]);
      const kept = await prisma.$queryRawUnsafe('SELECT id, title, "deletedAt" FROM "DeletedPost"');
      expect(kept).toEqual([{ id: 1, title: 'Post 01', deletedAt: expect.any(Date) }]);
    } finally {
      await prisma.$executeRawUnsafe('DROP FUNCTION keep_deleted_post() CASCADE');
      await prisma.$executeRawUnsafe('DROP TABLE "DeletedPost"');
    }
  });
});

sample.omitted.describe('the recipe for several schemas', () => {
  const catalogSchema = { ...tinySchema, models: { Post: tinySchema.models.Post, User: tinySchema.models.User } };
  const [prisma, catalog] = [fakeClient('of the blog'), fakeClient('of the catalog')];
  const names = { ResourceApiModule, Module, resourceSchema: tinySchema, catalogSchema, prisma, catalog };
  const result = '({ AppModule, CatalogApi })';
  const { AppModule, CatalogApi } = runSnippet(several, names, result) as { readonly AppModule: Type; readonly CatalogApi: DynamicModule };

  @Controller('report')
  class ReportController {
    constructor(@InjectDataClient() private readonly client: ReturnType<typeof fakeClient>) {}

    @Get()
    rows(): unknown {
      return this.client.post['findMany']?.();
    }
  }

  @Module({ imports: [CatalogApi], controllers: [ReportController] })
  class ReportModule {}

  const titles = async (http: ReturnType<typeof supertest>): Promise<readonly unknown[]> => {
    const [blog, shop, report] = await Promise.all(['/blog/post', '/catalog/rpc/post/findMany', '/report'].map((path) => http.get(path)));
    return [blog?.body.data[0].attributes.title, shop?.body.data[0].title, report?.body[0]?.title];
  };

  afterEach(closeAll);

  it.each(PLATFORMS)('uses the right client for each schema, on %s', async (platform) => {
    const { http } = await startTinyApp(platform, [AppModule, ReportModule]);
    expect(await titles(http)).toEqual(['of the blog', 'of the catalog', 'of the catalog']);
  });

  it('can override the clients in tests', async () => {
    const fakes = { prisma: fakeClient('a fake'), catalog: fakeClient('another') };
    const build = (code: string): TestingModuleBuilder => {
      const own = code.replace('Test.create', 'const builder = Test.create');
      return runSnippet(own, { Test, AppModule, DATA_CLIENT, REQUEST, ...fakes }, 'builder') as TestingModuleBuilder;
    };
    const app = (await build(overriding).compile()).createNestApplication({ logger: false });
    await app.init();
    const http = supertest(app.getHttpServer());
    expect((await http.get('/blog/post')).body.data[0].attributes.title).toBe('a fake');
    expect((await http.get('/catalog/post')).body.data[0].attributes.title).toBe('another');
    await app.close();
  });
});

sample.omitted.describe('the recipe for health checks', () => {
  afterEach(closeAll);

  it.each(PLATFORMS)('serves the health check beside an API at the root, on %s', async (platform) => {
    let isUp = true;
    const $queryRaw = (): Promise<unknown> => (isUp ? Promise.resolve([]) : Promise.reject(new Error('down')));
    const names = { Controller, Get, ServiceUnavailableException, prisma: { $queryRaw } };
    const HealthController = runSnippet(health, names, 'HealthController') as Type;
    @Module({ controllers: [HealthController] })
    class HealthModule {}
    const refuse = { canActivate: () => false };
    const api = ResourceApiModule.forRoot({ schema: tinySchema, getClient: () => fakeClient(), rest: { endpoint }, guards: [refuse] });
    const { http } = await startTinyApp(platform, [api, HealthModule]);
    await http.get('/post/1').expect(403);
    await http.get('/health/live').expect(200, 'ok');
    await http.get('/health/ready').expect(200, 'ok');
    isUp = false;
    await http.get('/health/ready').expect(503);
    await http.get('/health/live').expect(200, 'ok');
  });
});

sample.omitted.describe('the recipe for shutdown', () => {
  it.each(PLATFORMS)('finishes running requests before it disconnects the client, on %s', async (platform) => {
    const events: string[] = [];
    const slow = { ...fakeClient(), $disconnect: () => Promise.resolve(events.push('disconnected')) };
    slow.post['findMany'] = async () => {
      events.push('queried');
      await new Promise((resolve) => setTimeout(resolve, 200));
      events.push('answered');
      return [];
    };
    const [recipe = ''] = shutdown.replace('5_000', '20').split('const app');
    const Shutdown = runSnippet(recipe, { Injectable, HttpAdapterHost, prisma: slow }, 'Shutdown') as Type;
    @Module({ providers: [Shutdown] })
    class ShutdownModule {}
    const api = ResourceApiModule.forRoot({ schema: tinySchema, getClient: () => slow });
    const { app, http } = await startTinyApp(platform, [api, ShutdownModule]);
    await app.listen(0, '127.0.0.1');
    // Sent without keep-alive.
    const answer = http.get('/post/findMany').then();
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await app.close();
    expect((await answer).status).toBe(200);
    expect(events).toEqual(['queried', 'answered', 'disconnected']);
  });
});
