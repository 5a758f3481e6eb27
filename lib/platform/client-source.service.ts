import { Inject, Injectable, type OnModuleInit, type Provider, Scope } from '@nestjs/common';
import { ModuleRef, REQUEST } from '@nestjs/core';
import type { DataClient } from '../executor/data-client.js';
import { lazyClient } from '../executor/lazy-client.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { DATA_CLIENT, RESOURCE_API_OPTIONS } from '../options/tokens.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import type { PlatformRequest } from '../http/platform-request.js';
import { requestContextOf } from './request-context.js';
import { SchemaCheck } from './schema-check.service.js';
import { contextIdOf } from './context-id.js';

/**
 * Gives each request its data client. `getClient` is called once per request, by the operation or by a provider that injects `DATA_CLIENT`.
 *
 * Nest is asked for `DATA_CLIENT` only where that is not made here: where a test has replaced it, or another module provides it. To make a
 * request-scoped provider costs more than most of what else happens to a request, so which of the two it is is found out once.
 */
@Injectable()
export class ClientSource implements OnModuleInit {
  /** By request. */
  private readonly lazy = new WeakMap<object, DataClient>();
  private mode: 'option' | 'static' | 'per request' = 'per request';

  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'getClient'>,
    private readonly schemaCheck: SchemaCheck,
  ) {}

  /** @throws ConfigurationError when no request could ever get a data client */
  onModuleInit(): void {
    const scope = this.scopeOfToken();
    if (this.isOwnProvider()) this.mode = 'option';
    else this.mode = scope === Scope.DEFAULT ? 'static' : 'per request';
  }

  /** For an operation. Asked for late on purpose: guards have run, so `getClient` sees the caller that they found. */
  async ask({ request }: { readonly request: PlatformRequest }): Promise<DataClient> {
    const client = await this.find(request);
    this.schemaCheck.requireFit(client);
    return client;
  }

  /**
   * For who injects `DATA_CLIENT`. Nest makes the provider before it runs guards, so that a `getClient` that takes the request is asked when
   * the client is first used.
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

  /** In a request to this module or to a controller of the host. */
  private clientOf(request: PlatformRequest): Promise<DataClient> {
    const exchange = requestContextOf(request);
    return exchange?.point.clients === this ? exchange.clientOnce(() => this.given(request)) : this.given(request);
  }

  private find(request: PlatformRequest): Promise<DataClient> {
    switch (this.mode) {
      case 'option':
        return this.clientOf(request);
      case 'static':
        return Promise.resolve(this.moduleRef.get<DataClient>(DATA_CLIENT, { strict: this.isOwn }));
      case 'per request':
        return this.moduleRef.resolve<DataClient>(DATA_CLIENT, contextIdOf(request, this.moduleRef), { strict: this.isOwn });
    }
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

  /** Whether this module's own provider of `DATA_CLIENT` is in force. Nest's public way to look at a provider tells its scope alone. */
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
 * `DATA_CLIENT`: what the option `getClient` gives for the request at hand, once per request.
 *
 * The operations of this module ask for it after guards have run and the request was parsed, and a provider of the host when it first uses it:
 * `getClient` sees what a guard has put on the request.
 */
export const dataClientProvider: Provider = {
  provide: DATA_CLIENT,
  scope: Scope.REQUEST,
  inject: [REQUEST, ClientSource],
  useFactory: makeDataClient,
};
