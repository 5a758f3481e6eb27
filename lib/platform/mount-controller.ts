import { Controller, SetMetadata, type Type, UseFilters, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import { RestExceptionFilter } from '../errors/rest-exception.filter.js';
import { RpcExceptionFilter } from '../errors/rpc-exception.filter.js';
import { type ApiStyle, type Mount, type Registration } from '../resource-api.module-definition.js';
import { RestController } from '../rest/rest.controller.js';
import { RpcController } from '../rpc/rpc.controller.js';
import { STYLE_METADATA } from './resource-operation.js';
import { SendReplyInterceptor } from './send-reply.interceptor.js';

/** What each style is made of in Nest's terms. */
const STYLES = {
  rest: { mounted: () => class extends RestController {}, filter: RestExceptionFilter, interceptor: SendReplyInterceptor('rest') },
  rpc: { mounted: () => class extends RpcController {}, filter: RpcExceptionFilter, interceptor: SendReplyInterceptor('rpc') },
} as const satisfies Readonly<Record<ApiStyle, { mounted: () => Type; filter: Type; interceptor: Type }>>;

/**
 * The controller of one mount: a class of its own, since Nest reads prefix and enhancers from the class, and several mounts live side by
 * side. The filter is bound here, never globally, so that the host's other routes keep their own errors.
 */
export function mountController({ style, prefix }: Mount, { guards, interceptors, pipes }: Registration): Type {
  const { mounted, filter, interceptor } = STYLES[style];
  const controller = mounted();
  SetMetadata(STYLE_METADATA, style)(controller);
  Controller(prefix)(controller);
  UseFilters(filter)(controller);
  UseGuards(...guards)(controller);
  UseInterceptors(interceptor, ...interceptors)(controller);
  UsePipes(...pipes)(controller);
  return controller;
}
