import { Controller, SetMetadata, type Type, UseFilters, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import { RestExceptionFilter } from '../errors/rest-exception.filter.js';
import { RpcExceptionFilter } from '../errors/rpc-exception.filter.js';
import { type ApiStyle, type Mount, type Registration } from '../resource-api.module-definition.js';
import { RestController } from '../rest/rest.controller.js';
import { RpcBatchController } from '../rpc/rpc-batch.controller.js';
import { RpcController } from '../rpc/rpc.controller.js';
import { BatchGuard } from './batch.guard.js';
import { STYLE_METADATA } from './resource-operation.js';
import { SendReplyInterceptor } from './send-reply.interceptor.js';

/** What each style is made of in Nest's terms. */
const STYLES = {
  rest: { filter: RestExceptionFilter, interceptor: SendReplyInterceptor('rest') },
  rpc: { filter: RpcExceptionFilter, interceptor: SendReplyInterceptor('rpc') },
} as const satisfies Readonly<Record<ApiStyle, { filter: Type; interceptor: Type }>>;

/**
 * The controllers of one mount: classes of their own, since Nest reads prefix and enhancers from the class, and several mounts live side
 * by side. The filter is bound here, never globally, so that the host's other routes keep their own errors.
 */
export function mountControllers({ style, prefix }: Mount, { guards, interceptors, pipes }: Registration): Type[] {
  const { filter, interceptor } = STYLES[style];
  return classesOf(style, guards).map(({ controller, guards: own }) => {
    SetMetadata(STYLE_METADATA, style)(controller);
    Controller(prefix)(controller);
    UseFilters(filter)(controller);
    UseGuards(...own)(controller);
    UseInterceptors(interceptor, ...interceptors)(controller);
    UsePipes(...pipes)(controller);
    return controller;
  });
}

interface GuardedClass {
  readonly controller: Type;
  readonly guards: Registration['guards'];
}

/** Nest registers routes in this order: that of batches comes before the one that takes any model. */
function classesOf(style: ApiStyle, guards: Registration['guards']): readonly GuardedClass[] {
  switch (style) {
    case 'rest':
      return [{ controller: class extends RestController {}, guards }];
    case 'rpc':
      return [
        { controller: class extends RpcBatchController {}, guards: [BatchGuard] },
        { controller: class extends RpcController {}, guards },
      ];
  }
}
