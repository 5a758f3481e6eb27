import { createRpcClient, type ExposedBy, RpcClientError } from 'nestjs-resource-api/client';
import type { PrismaClient } from '../../blog/src/generated/prisma/client.js';
import type { resourceSchema } from '../../blog/src/generated/resource-schema.js';
import type { resources } from '../../blog/src/resources.js';

/** The API's calls, with the types of what it shows: `api.user.findMany({ select: { passwordHash: true } })` does not compile. */
export type Api = ReturnType<typeof createApi>;

/** @param userId whom the API takes the caller for; absent: an anonymous reader */
export function createApi(userId?: number) {
  return createRpcClient<PrismaClient, ExposedBy<typeof resourceSchema, typeof resources>>({
    endpoint: '/api/rpc',
    headers: { 'X-User-Id': userId?.toString() },
    // The posts, the users and the tags of the page are one request.
    batch: true,
  });
}

/** Returns the message for the reader about a call that failed. */
export function describeError(error: unknown): string {
  if (!(error instanceof RpcClientError)) return 'The server cannot be reached.';
  if (error.rejectedByPolicy) return 'You may not do that. Choose another user above.';
  // Under row-level security PostgreSQL does not name the fields.
  if (error.code === 'P2002') return `That ${error.fields.join(' and ') || 'value'} is taken already.`;
  return error.message;
}
