import { type ContextId, ContextIdFactory, type ModuleRef } from '@nestjs/core';
import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants.js';

/**
 * The context of a request's request-scoped providers, the same for all who ask, as Nest's router has it for the host's controllers: the id is
 * kept on the request, where `ContextIdFactory.getByRequest` looks first.
 */
export function contextIdOf(request: object, moduleRef: ModuleRef): ContextId {
  const contextId = ContextIdFactory.getByRequest(request);
  if (!Object.hasOwn(request, REQUEST_CONTEXT_ID)) {
    Object.defineProperty(request, REQUEST_CONTEXT_ID, { value: contextId });
    moduleRef.registerRequestByContextId(request, contextId);
  }
  return contextId;
}
