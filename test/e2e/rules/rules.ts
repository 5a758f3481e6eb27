import { defineRules, type PlatformRequest } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';

/** Reads the caller from a header. In an application, a guard would set it on the request. */
export function callerOf({ headers }: PlatformRequest): number | undefined {
  const id = headers['x-user-id'];
  return typeof id === 'string' ? Number(id) : undefined;
}

const own = (request: PlatformRequest) => {
  const callerId = callerOf(request);
  return callerId === undefined ? false : { authorId: callerId };
};

/**
 * The rules of the suites, each on columns of the row itself, some of which are nullable. `policies.ts` has the same rules as policies.
 */
export const RULES = defineRules<PrismaClient, PlatformRequest>()({
  'Post': {
    read: (request) => ({ OR: [{ published: true }, { authorId: callerOf(request) ?? -1 }] }),
    create: own,
    update: own,
    delete: own,
  },
  'Comment': {
    read: (request) => ({ OR: [{ authorId: null }, { authorId: { lte: 3 } }, { authorId: callerOf(request) ?? -1 }] }),
    create: own,
    update: { using: own, check: (request) => ({ authorId: callerOf(request) ?? -1, body: { not: 'forbidden' } }) },
    delete: own,
  },
  'User': {
    read: (request) => ({ OR: [{ NOT: { locale: 'de' } }, { id: callerOf(request) ?? -1 }] }),
    update: (request) => ({ id: callerOf(request) ?? -1 }),
  },
  // With null, the condition is unknown, so that the row is unreadable.
  'Category': {
    read: { parentId: { not: 1 } },
    create: true,
    update: { using: true, check: { name: { not: 'forbidden' } } },
    delete: false,
  },
  'Profile': {
    read: { bio: { contains: 'bug' } },
    create: true,
    update: (request) => ({ userId: callerOf(request) ?? -1 }),
    delete: (request) => ({ userId: callerOf(request) ?? -1 }),
  },
  'Tag': { read: true, create: (request) => callerOf(request) !== undefined, update: false, delete: false },
  '*': true,
});
