import { Inject, Injectable, type OnModuleInit, type Provider, Scope } from '@nestjs/common';
import { ModuleRef, REQUEST } from '@nestjs/core';
import type { DataClient } from '../executor/data-client.js';
import { lazyClient } from '../executor/client/lazy-client.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { DATA_CLIENT, RESOURCE_API_OPTIONS } from '../options/tokens.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import type { PlatformRequest } from '../http/platform-request.js';
import { requestContextOf } from './request-context.js';
import { SchemaCheck } from './schema-check.service.js';
import { contextIdOf } from './context-id.js';

/**
 * Provides the data client of each request. `getClient` is called once per request, for the operation or for a provider that injects
 * `DATA_CLIENT`.
 *
 * `DATA_CLIENT` is resolved by Nest only if a test has overridden it, or another module provides it. This is determined once at boot,
 * because creating a request-scoped provider costs more than most other steps of a request.
 */
@Injectable()
export class ClientSource implements OnModuleInit {
  /** Lazy clients by request. */
  private readonly lazy = new WeakMap<object, DataClient>();
  private mode: 'option' | 'static' | 'per request' = 'per request';

  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'getClient'>,
    private readonly schemaCheck: SchemaCheck,
  ) {}

  /**
   * Determines where the data client comes from.
   *
   * @throws ConfigurationError if there is neither the option `getClient` nor a provider of `DATA_CLIENT`
   */
  onModuleInit(): void {
    const scope = this.scopeOfToken();
    if (this.isOwnProvider()) this.mode = 'option';
    else this.mode = scope === Scope.DEFAULT ? 'static' : 'per request';
  }

  /**
   * Returns the client for an operation. Call it after the guards, so that `getClient` receives the caller that they have identified.
   *
   * @throws ConfigurationError if the option `schema` does not fit the client
   */
  async ask({ request }: { readonly request: PlatformRequest }): Promise<DataClient> {
    const client = await (this.mode === 'option' ? this.clientOf(request) : this.injectedElsewhere(request));
    this.schemaCheck.requireFit(client);
    return client;
  }

  /**
   * Returns the client for a provider that injects `DATA_CLIENT`. Nest creates such a provider before it runs guards. Therefore a
   * `getClient` with a parameter is called when the client is first used.
   */
  injected(request: PlatformRequest): DataClient | Promise<DataClient> {
    if ((this.options.getClient?.length ?? 0) === 0) return this.clientOf(request);
    const key = requestContextOf(request) ?? request;
    const known = this.lazy.get(key);
    if (known) return known;
    const client = lazyClient(() => this.clientOf(request));
    this.lazy.set(key, client);
    return client;
  }

  /**
   * Returns the client of a request. The context of a request to this module caches it. A request to a controller of the application has no
   * context.
   */
  private clientOf(request: PlatformRequest): Promise<DataClient> {
    const requestContext = requestContextOf(request);
    if (requestContext?.point.clients !== this) return this.given(request);
    return (requestContext.givenClient ??= this.given(request));
  }

  /** Returns the client of a provider that is not of this module. */
  private injectedElsewhere(request: PlatformRequest): Promise<DataClient> {
    const strict = this.isOwn;
    return this.mode === 'static'
      ? Promise.resolve(this.moduleRef.get<DataClient>(DATA_CLIENT, { strict }))
      : this.moduleRef.resolve<DataClient>(DATA_CLIENT, contextIdOf(request, this.moduleRef), { strict });
  }

  private async given(request: PlatformRequest): Promise<DataClient> {
    const client: unknown = await this.options.getClient?.(request);
    if (typeof client === 'object' && client !== null) return client;
    throw new ConfigurationError(
      `getClient gave ${client === null ? 'null' : typeof client}, and no data client.`,
      'Return a PrismaClient, or anything else with its model delegates, or a promise of one.',
    );
  }

  private get isOwn(): boolean {
    return this.options.getClient !== undefined;
  }

  private scopeOfToken(): Scope {
    try {
      return this.moduleRef.introspect(DATA_CLIENT).scope;
    } catch (cause) {
      throw new ConfigurationError(
        "The option 'getClient' is missing, and no module provides DATA_CLIENT.",
        'Pass getClient: (request) => prisma, or provide DATA_CLIENT in a global module.',
        { cause },
      );
    }
  }

  /**
   * Whether this module's provider of `DATA_CLIENT` is in use. Nest's public `introspect` returns only the scope of a provider, so the
   * container is read.
   */
  private isOwnProvider(): boolean {
    const modules = [...this.moduleRef['container'].getModules().values()];
    const home = modules.find(({ providers }) => providers.get(ClientSource)?.instance === this);
    return this.isOwn && home?.providers.get(DATA_CLIENT)?.metatype === makeDataClient;
  }
}

/** The factory of `DATA_CLIENT`. */
function makeDataClient(request: PlatformRequest, source: ClientSource): DataClient | Promise<DataClient> {
  return source.injected(request);
}

/**
 * The provider of `DATA_CLIENT`: the client that the option `getClient` returns for the current request.
 *
 * `getClient` is called once per request. Operations of this module request the client after the guards and after parsing, and other
 * providers when they first use it. `getClient` can therefore read what a guard has added to the request.
 */
export const dataClientProvider: Provider = {
  provide: DATA_CLIENT,
  scope: Scope.REQUEST,
  inject: [REQUEST, ClientSource],
  useFactory: makeDataClient,
};
