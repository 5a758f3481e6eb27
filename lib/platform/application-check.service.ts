import { Injectable, type InjectionToken, type OnModuleInit, Scope, type Type } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { ConfigurationError } from '../errors/configuration-error.js';
import { RESOURCE_API_OPTIONS } from '../options/tokens.js';
import { platformOf } from './platform-of.js';

/**
 * Checks at start that the application can serve the routes of this module. It injects no option, so that Nest creates it even if the
 * options are request-scoped.
 */
@Injectable()
export class ApplicationCheck implements OnModuleInit {
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly adapterHost: HttpAdapterHost,
  ) {
    requireEagerModule(moduleRef);
  }

  /**
   * Checks the scope of the options, and the HTTP adapter.
   *
   * @throws ConfigurationError if Nest could not register the routes
   */
  onModuleInit(): void {
    this.requireStaticOptions();
    // A standalone application context has no adapter, which Nest's types ignore.
    const httpAdapter = this.adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null | undefined;
    if (!httpAdapter || platformOf(httpAdapter) !== undefined) return;
    throw new ConfigurationError(
      `The API cannot be served by the HTTP adapter '${httpAdapter.getType()}' (${httpAdapter.constructor.name}).`,
      'Use @nestjs/platform-node, @nestjs/platform-express or @nestjs/platform-fastify, or an adapter of a connect-style application.',
    );
  }

  private requireStaticOptions(): void {
    // `as`: a token may be an abstract class as well, which `introspect` accepts.
    const isStatic = (token: InjectionToken): boolean => this.moduleRef.introspect(token as Type).scope !== Scope.REQUEST;
    if (isStatic(RESOURCE_API_OPTIONS)) return;
    const { wrapperRef } = this.moduleRef['instanceLinksHost'].get(RESOURCE_API_OPTIONS);
    const scoped = (wrapperRef.inject ?? []).flatMap((given) => tokenOf(given) ?? []).filter((token) => !isStatic(token));
    throw new ConfigurationError(
      `The options of ResourceApiModule depend on a request-scoped provider (${scoped.map(describeToken).join(', ')}), so that no route can be registered at start.`,
      'Inject providers of the default scope into useFactory, useClass and useExisting, and take what belongs to a request in getClient(request).',
    );
  }
}

/**
 * Checks that the module is loaded at start.
 *
 * @throws ConfigurationError if `LazyModuleLoader` creates the module, because Nest has registered all routes before
 */
function requireEagerModule(moduleRef: ModuleRef): void {
  const modules = [...moduleRef['container'].getModules().values()];
  // At start, Nest computes the distance of each module from the root module. Modules that are loaded later have none.
  const isLazy = modules.some(({ providers, distance }) => distance === 0 && providers.get(ModuleRef)?.instance === moduleRef);
  if (!isLazy) return;
  throw new ConfigurationError(
    'ResourceApiModule cannot be loaded by LazyModuleLoader: Nest registers no routes after start.',
    'Import it in a module that is loaded at start.',
  );
}

function tokenOf(given: InjectionToken | { readonly token: InjectionToken }): InjectionToken | undefined {
  return typeof given === 'object' && 'token' in given ? given.token : given;
}

function describeToken(token: InjectionToken): string {
  return typeof token === 'function' ? token.name : String(token);
}
