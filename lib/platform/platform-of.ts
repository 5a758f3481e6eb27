import type { AbstractHttpAdapter } from '@nestjs/core';

/** How an HTTP adapter is served. `connect` is any adapter whose instance has `use(middleware)` and passes Node's request and response. */
export type Platform = 'connect' | 'express' | 'fastify';

/** Returns how an HTTP adapter is served; undefined if it cannot be. */
export function platformOf(adapter: AbstractHttpAdapter): Platform | undefined {
  const type = adapter.getType();
  if (type === 'express' || type === 'fastify') return type;
  return type === 'node' || isConnectLike(adapter.getInstance()) ? 'connect' : undefined;
}

/**
 * Whether an instance is a connect-style application: a function `(request, response)` with `use` and `handle`. Applications of Koa and Hono
 * have `use`, too, and pass a context to it; they are objects.
 */
function isConnectLike(instance: unknown): boolean {
  return typeof instance === 'function' && 'use' in instance && 'handle' in instance;
}
