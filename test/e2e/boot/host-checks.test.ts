import { All, Controller, Get, Injectable, Logger, Module, Scope } from '@nestjs/common';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ResourceApiModule, type ResourceApiOptionsFactory } from 'nestjs-resource-api';
import supertest from 'supertest';
import { NodeAdapter } from '../../support/node-platform/node-adapter.js';
import type { NodeRequest, NodeResponse } from '../../support/node-platform/node-messages.js';
import type { NodeRouter } from '../../support/node-platform/node-router.js';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

const made = { schema: tinySchema, getClient: () => fakeClient(), rest: { endpoint } };

@Injectable({ scope: Scope.REQUEST })
class Caller {}

@Injectable({ scope: Scope.REQUEST, durable: true })
class Tenant {}

@Injectable()
class NeedsCaller {
  constructor(readonly caller: Caller) {}
}

@Injectable()
class ScopedOptions implements ResourceApiOptionsFactory {
  constructor(readonly caller: Caller) {}
  createResourceApiOptions() {
    return made;
  }
}

@Module({ providers: [Caller, Tenant, NeedsCaller, ScopedOptions], exports: [Caller, Tenant, NeedsCaller, ScopedOptions] })
class ScopedModule {}

const rest = { prefix: 'api/rest' };
const useFactory = () => made;

describe.each(PLATFORMS)('checks of the application at start on %s', (platform) => {
  it.each([
    ['inject', 'Caller', { inject: [Caller], useFactory }],
    ['an optional inject', 'Caller', { inject: [{ token: Caller, optional: true }], useFactory }],
    ['a durable provider', 'Tenant', { inject: [Tenant], useFactory }],
    ['a provider that depends on one', 'NeedsCaller', { inject: [NeedsCaller], useFactory }],
    ['useExisting', 'ScopedOptions', { useExisting: ScopedOptions }],
    ['useClass', 'ScopedOptions', { useClass: ScopedOptions }],
  ])('reject options that are request-scoped through %s', async (_, name, factory) => {
    const module = ResourceApiModule.forRootAsync({ imports: [ScopedModule], rest, ...factory });
    await expect(startTinyApp(platform, [module])).rejects.toThrow(
      new RegExp(`depend on a request-scoped provider \\(${name}\\).* getClient\\(request\\)`),
    );
  });

  it.each([['before listen'], ['after listen']])('reject LazyModuleLoader %s', async (moment) => {
    const { app } = await startTinyApp(platform, []);
    if (moment === 'after listen') await app.listen(0);
    const loading = app.get(LazyModuleLoader).load(() => ResourceApiModule.forRoot(made));
    await expect(loading).rejects.toThrow(/cannot be loaded by LazyModuleLoader/);
  });

  it('accept the module as the root module of an application', async () => {
    const app = await NestFactory.create(ResourceApiModule.forRoot(made), { logger: false, abortOnError: false });
    await app.init();
    await app.close();
  });
});

@Controller()
class Fallback {
  @All('*')
  answer(): string {
    return 'fallback';
  }
}

@Controller('api/rest')
class Own {
  @Get('post/:id/preview')
  preview(): string {
    return 'preview';
  }
}

describe.each(PLATFORMS)('routes of the application on %s', (platform) => {
  let warn: jest.SpiedFunction<Logger['warn']>;
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(() => {
    warn.mockRestore();
  });

  const options = { ...made, rest: { prefix: 'api/rest', endpoint }, access: 'public' } as const;

  it('cause a warning if one of them matches every request of the API', async () => {
    @Module({ controllers: [Fallback] })
    class FallbackModule {}
    const { http } = await startTinyApp(platform, [FallbackModule, ResourceApiModule.forRoot(options)]);
    const { text } = await http.get('/api/rest/post');
    expect(text === 'fallback').toBe(platform !== 'fastify');
    const warnings = warn.mock.calls.map(([message]) => String(message)).filter((message) => message.includes('takes all requests below'));
    expect(warnings).toHaveLength(platform === 'fastify' ? 0 : 1);
  });

  it('cause no warning if they match single paths', async () => {
    @Module({ controllers: [Own] })
    class OwnModule {}
    const { http } = await startTinyApp(platform, [OwnModule, ResourceApiModule.forRoot(options)]);
    await http.get('/api/rest/post/1/preview').expect(200, 'preview');
    await http.get('/api/rest/post').expect(200);
    expect(warn.mock.calls.filter(([message]) => String(message).includes('takes all'))).toEqual([]);
  });
});

/** An adapter with another name and a given instance. */
class OtherAdapter extends NodeAdapter {
  constructor(
    private readonly type: string,
    instance: object,
  ) {
    super();
    this.setInstance(Object.assign(instance, { ...this.instance }));
  }

  override getType(): string {
    return this.type;
  }
}

describe('other HTTP adapters', () => {
  const create = async (adapter: NodeAdapter) => {
    const options = { ...made, rest: { prefix: 'api/rest', endpoint }, access: 'public' } as const;
    const testing = await Test.createTestingModule({ imports: [ResourceApiModule.forRoot(options)] }).compile();
    return testing.createNestApplication(adapter, { logger: false });
  };
  const messageOf = (action: Promise<unknown>): Promise<string | undefined> =>
    action.then(
      () => undefined,
      (error: unknown) => String(error),
    );

  it('are a configuration error that names the supported adapters', async () => {
    // The instance of an adapter for Koa has `use`, too, whose middleware receives a context.
    const app = await create(new OtherAdapter('koa', {}));
    expect(await messageOf(app.init())).toContain(
      "The API cannot be served by the HTTP adapter 'koa' (OtherAdapter). " +
        'Use @nestjs/platform-node, @nestjs/platform-express or @nestjs/platform-fastify, or an adapter of a connect-style application.',
    );
    await app.close();
  });

  it('are supported if their application is connect-style', async () => {
    const adapter: NodeAdapter = new OtherAdapter('connect', (request: NodeRequest, response: NodeResponse) => {
      adapter.getInstance<NodeRouter>().handle(request, response);
    });
    const app = await create(adapter);
    await app.init();
    await supertest(app.getHttpServer()).get('/api/rest/post').expect(200);
    await app.close();
  });

  it('are not checked in an application without HTTP', async () => {
    const app = await NestFactory.createApplicationContext(ResourceApiModule.forRoot(made), { logger: false });
    await app.close();
  });
});
