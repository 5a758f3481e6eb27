import { All, Controller, SetMetadata, type Type, UseFilters, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import { RestExceptionFilter } from '../errors/rest-exception.filter.js';
import { RpcExceptionFilter } from '../errors/rpc-exception.filter.js';
import { type ApiStyle, type Mount, type Registration } from '../resource-api.module-definition.js';
import { RestController } from '../rest/rest.controller.js';
import { RpcController } from '../rpc/rpc.controller.js';
import { STYLE_METADATA } from './resource-operation.js';
import { SendReplyInterceptor } from './send-reply.interceptor.js';

/** What each style is made of in Nest's terms. */
const STYLES = {
  rest: { controller: RestController, filter: RestExceptionFilter, interceptor: SendReplyInterceptor('rest') },
  rpc: { controller: RpcController, filter: RpcExceptionFilter, interceptor: SendReplyInterceptor('rpc') },
} as const satisfies Readonly<Record<ApiStyle, object>>;

/**
 * A controller class of its own for one mount, since Nest reads prefix and enhancers from the class: several mounts live side by side.
 * Filters are bound here, never globally, so that the host's other routes keep their own errors.
 */
export function mountController({ style, prefix }: Mount, { guards, interceptors, pipes }: Registration): Type {
  const { controller, filter, interceptor } = STYLES[style];
  const Mounted = style === 'rest' ? class extends RestController {} : class extends RpcController {};
  Object.defineProperty(Mounted, 'name', { value: controller.name });
  if (prefix !== '') routeUnknownPaths(Mounted);
  SetMetadata(STYLE_METADATA, style)(Mounted);
  Controller(prefix)(Mounted);
  UseFilters(filter)(Mounted);
  UseGuards(...guards)(Mounted);
  UseInterceptors(interceptor, ...interceptors)(Mounted);
  UsePipes(...pipes)(Mounted);
  return Mounted;
}

/** Below a prefix of our own every path is ours; at the application's root the host's routes and its 404 stay its own. */
function routeUnknownPaths(Mounted: typeof RestController | typeof RpcController): void {
  // Nest keeps a route on the function itself, so each mount that has this one needs a function of its own.
  const inherited = Mounted.prototype.unknownPath.bind(undefined);
  const descriptor = { value: () => inherited() };
  Object.defineProperty(Mounted.prototype, 'unknownPath', descriptor);
  All(['', '{*path}'])(Mounted.prototype, 'unknownPath', descriptor);
}
