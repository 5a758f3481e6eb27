import type { Server } from 'node:http';
import { Injectable, Logger, type OnModuleInit, type VersioningOptions, VersioningType } from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { RequestHandler } from './request-handler.service.js';
import { attachToExpress, catchAllWarnings, type ExpressLike, serveOnExpress } from './express/express-platform.js';
import { attachToFastify, type FastifyLike, serveOnFastify } from './fastify/fastify-platform.js';

/** Attaches this module to the platform, so that the application needs no set-up code. */
@Injectable()
export class PlatformService implements OnModuleInit {
  private readonly logger = new Logger('ResourceApi');

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly moduleRef: ModuleRef,
    private readonly handler: RequestHandler,
  ) {
    // Under `Test.createTestingModule` the adapter is set after the providers are created. A standalone application context never has one.
    if (this.adapter() !== undefined) this.attach();
    else
      adapterHost.init$.subscribe(() => {
        this.attach();
      });
  }

  /**
   * Registers the routes. Nest calls this after it has registered the routes of all controllers, and before its handlers for unknown paths
   * and errors.
   */
  onModuleInit(): void {
    const adapter = this.adapter();
    if (adapter?.getType() === 'express') {
      const server = adapter.getHttpServer() as Server | undefined;
      for (const warning of catchAllWarnings(adapter.getInstance<ExpressLike>(), this.handler)) this.logger.warn(warning);
      serveOnExpress({ app: adapter.getInstance<ExpressLike>(), server }, this.handler, versionFilter(this.moduleRef, adapter));
    }
    if (adapter?.getType() === 'fastify')
      serveOnFastify(adapter.getInstance<FastifyLike>(), this.handler, versionFilter(this.moduleRef, adapter));
  }

  /** Installs what must run before the middleware and hooks of the application. */
  private attach(): void {
    const adapter = this.adapter();
    if (adapter?.getType() === 'express') attachToExpress(adapter.getInstance<ExpressLike>(), this.handler);
    if (adapter?.getType() === 'fastify') attachToFastify(adapter.getInstance<FastifyLike>(), this.handler);
  }

  private adapter(): AbstractHttpAdapter | undefined {
    return this.adapterHost.httpAdapter;
  }
}

/** A handler of either platform. */
type Handler = (...args: never[]) => unknown;

/**
 * Returns a function that restricts a route to the default version, if the application selects versions by a header or a media type.
 * Versions in the URI are part of the path already.
 */
function versionFilter(moduleRef: ModuleRef, adapter: AbstractHttpAdapter): <H extends Handler>(handler: H) => H {
  const options: VersioningOptions | undefined = moduleRef['container'].applicationConfig?.getVersioning();
  const version = options?.defaultVersion;
  if (options === undefined || version === undefined || options.type === VersioningType.URI) return (handler) => handler;
  // `never`: Nest types the result as a handler of any platform. Its type is that of the argument.
  return (handler) => adapter.applyVersionFilter(handler, version, options) as never;
}
