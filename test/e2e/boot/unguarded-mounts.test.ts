import { AsyncLocalStorage } from 'node:async_hooks';
import { type CanActivate, type INestApplication, Injectable, Logger, Module, Scope } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DATA_CLIENT, type PlatformRequest, ResourceApiModule, type ResourceApiOptions } from 'nestjs-resource-api';
import { registerBoundClient } from '../../../lib/executor/client/bound-client.js';
import { LogLines } from '../../support/log-lines.js';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

const log = new LogLines();

@Injectable()
class Allow implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Injectable({ scope: Scope.REQUEST })
class AllowEach extends Allow {}

@Module({ providers: [{ provide: APP_GUARD, useClass: Allow }] })
class Guarded {}

@Module({ providers: [{ provide: APP_GUARD, useClass: AllowEach }] })
class GuardedEach {}

@Module({ providers: [{ provide: DATA_CLIENT, useFactory: () => fakeClient() }], exports: [DATA_CLIENT] })
class OwnClient {}

const store = new AsyncLocalStorage<object>();

beforeEach(() => {
  log.clear();
});
afterEach(async () => {
  await closeAll();
  Logger.overrideLogger(false);
});

describe.each(PLATFORMS)('an API on %s', (platform) => {
  const rest = { prefix: 'api/rest', endpoint };
  const base: ResourceApiOptions = { schema: tinySchema, getClient: () => fakeClient(), rest, rpc: { prefix: 'api/rpc' } };
  const boot = async (
    imports: Parameters<typeof startTinyApp>[1],
    configure?: (app: INestApplication) => void,
  ): Promise<readonly string[]> => {
    await startTinyApp(platform, imports, {
      build: (builder) => builder.setLogger(log),
      configure: (app) => {
        Logger.overrideLogger(log);
        configure?.(app);
      },
    });
    return log.warnings;
  };
  const WARNING = /^Nothing guards (.*): no guard, no row rules, .* If that is intended, set access: 'public'\.$/;

  it('without guards logs one warning, with its paths and the solution', async () => {
    const warnings = await boot([ResourceApiModule.forRoot(base)], (app) => app.setGlobalPrefix('v1'));
    expect(warnings).toHaveLength(1);
    expect(WARNING.exec(warnings[0] ?? '')?.[1]).toBe('/v1/api/rest, /v1/api/rpc');
  });

  it('logs a warning for each module without guards, also at the root', async () => {
    const warnings = await boot([
      ResourceApiModule.forRoot({ ...base, guards: [Allow] }),
      ResourceApiModule.forRoot({ schema: tinySchema, getClient: () => fakeClient() }),
      ResourceApiModule.forRootAsync({
        rpc: { prefix: 'later' },
        useFactory: () => ({ schema: tinySchema, getClient: () => fakeClient() }),
      }),
    ]);
    expect(warnings.map((text) => WARNING.exec(text)?.[1]).sort()).toEqual(['/', '/later']);
  });

  it.each<[what: string, imports: Parameters<typeof startTinyApp>[1]]>([
    ['guards in its options', [ResourceApiModule.forRoot({ ...base, guards: [new Allow()] })]],
    ['a global guard', [Guarded, ResourceApiModule.forRoot(base)]],
    ['a global guard of each request', [GuardedEach, ResourceApiModule.forRoot(base)]],
    ['row rules', [ResourceApiModule.forRoot({ ...base, rules: { '*': false } })]],
    ['a client made of the request', [ResourceApiModule.forRoot({ ...base, getClient: (_request: PlatformRequest) => fakeClient() })]],
    ['a client that needs a request', [ResourceApiModule.forRoot({ ...base, getClient: storedClient })]],
    ['a client of an async context', [ResourceApiModule.forRoot({ ...base, getClient: noContext })]],
    ['a bound client', [ResourceApiModule.forRoot({ ...base, getClient: () => bound() })]],
    ['a ZenStack client with policies', [ResourceApiModule.forRoot({ ...base, getClient: () => withPlugins('policy') })]],
    ['the word of the host', [ResourceApiModule.forRoot({ ...base, access: 'public' })]],
    [
      'the word of a factory',
      [
        ResourceApiModule.forRootAsync({
          rpc: true,
          useFactory: () => ({ schema: tinySchema, getClient: () => fakeClient(), access: 'public' as const }),
        }),
      ],
    ],
  ])('logs no warning with %s', async (_, imports) => {
    expect(await boot(imports)).toEqual([]);
  });

  it('logs no warning with useGlobalGuards', async () => {
    expect(await boot([ResourceApiModule.forRoot(base)], (app) => app.useGlobalGuards(new Allow()))).toEqual([]);
  });

  it('logs no warning if the client is a provider of the application', async () => {
    @Module({ imports: [OwnClient], exports: [OwnClient] })
    class Host {}
    expect(
      await boot([{ module: Host, global: true }, ResourceApiModule.forRoot({ schema: tinySchema, rest, rpc: { prefix: 'api/rpc' } })]),
    ).toEqual([]);
  });

  it('logs a warning with a ZenStack client without policies', async () => {
    expect(await boot([ResourceApiModule.forRoot({ ...base, getClient: () => withPlugins('soft-delete') })])).toHaveLength(1);
  });
});

it('an unknown value of the option access is a configuration error', () => {
  const module = ResourceApiModule.forRoot({ schema: tinySchema, getClient: () => fakeClient(), access: 'open' as 'public' });
  return expect(startTinyApp('express', [module])).rejects.toThrow("access is 'open'. It may be 'public'.");
});

function storedClient(): object {
  return store.getStore() ?? noContext();
}

function noContext(): never {
  throw new Error('There is no request.');
}

function bound(): object {
  const client = fakeClient();
  registerBoundClient(client);
  return client;
}

function withPlugins(...ids: readonly string[]): object {
  return { ...fakeClient(), $options: { plugins: ids.map((id) => ({ id })) } };
}
