import type { Server } from 'node:http';
import { Injectable, Logger, type OnModuleInit, type VersioningOptions, VersioningType } from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { RequestHandler } from './request-handler.service.js';
import { catchAllWarnings, type RoutedLike } from './connect/catch-all-warnings.js';
import { attachToConnect, type ConnectLike, serveOnConnect } from './connect/connect-platform.js';
import { type ExpressLike, serveOnExpress } from './express/express-platform.js';
import { attachToFastify, type FastifyLike, serveOnFastify } from './fastify/fastify-platform.js';
import { platformOf } from './platform-of.js';

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
    if (adapter === undefined) return;
    const versioned = versionFilter(this.moduleRef, adapter);
    switch (platformOf(adapter)) {
      case 'express': {
        const app = adapter.getInstance<ExpressLike>();
        const server = adapter.getHttpServer() as Server | undefined;
        this.warnOfCatchAll(adapter);
        serveOnExpress({ app, server }, this.handler, versioned);
        break;
      }
      case 'fastify':
        serveOnFastify(adapter.getInstance<FastifyLike>(), this.handler, versioned);
        break;
      case 'connect':
        this.warnOfCatchAll(adapter);
        serveOnConnect(adapter.getInstance<ConnectLike>(), this.handler, versioned);
        break;
      case undefined:
        break;
    }
  }

  /** Installs what must run before the middleware and hooks of the application. */
  private attach(): void {
    const adapter = this.adapter();
    if (adapter === undefined) return;
    switch (platformOf(adapter)) {
      case 'express':
      case 'connect':
        attachToConnect(adapter.getInstance<ConnectLike>(), this.handler);
        break;
      case 'fastify':
        attachToFastify(adapter.getInstance<FastifyLike>(), this.handler);
        break;
      case undefined:
        break;
    }
  }

  private warnOfCatchAll(adapter: AbstractHttpAdapter): void {
    for (const warning of catchAllWarnings(adapter.getInstance<RoutedLike>(), this.handler.mounts)) this.logger.warn(warning);
  }

  private adapter(): AbstractHttpAdapter | undefined {
    // A standalone application context has none, which Nest's types ignore.
    const adapter = this.adapterHost.httpAdapter as AbstractHttpAdapter | null | undefined;
    return adapter ?? undefined;
  }
}

/** A handler of any platform. */
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
