import { type ContextId, ContextIdFactory, type ModuleRef } from '@nestjs/core';
import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants.js';

/**
 * Returns the context id for the request-scoped providers of a request, the same one as for controllers of the application. It is stored on
 * the request, where `ContextIdFactory.getByRequest` finds it.
 */
export function contextIdOf(request: object, moduleRef: ModuleRef): ContextId {
  const contextId = ContextIdFactory.getByRequest(request);
  if (!Object.hasOwn(request, REQUEST_CONTEXT_ID)) {
    Object.defineProperty(request, REQUEST_CONTEXT_ID, { value: contextId });
    moduleRef.registerRequestByContextId(request, contextId);
  }
  return contextId;
}
