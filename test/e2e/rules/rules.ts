import { defineRules, type PlatformRequest } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';

/** Who asks, as the suites say it: a header, since what a guard puts on a request is the host's own matter. */
export function callerOf({ headers }: PlatformRequest): number | undefined {
  const id = headers['x-user-id'];
  return typeof id === 'string' ? Number(id) : undefined;
}

const own = (request: PlatformRequest) => {
  const callerId = callerOf(request);
  return callerId === undefined ? false : { authorId: callerId };
};

/**
 * The policies of the suites, each on columns of its own row, some of which may be null. `policies.ts` says the same in SQL.
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
  // Null is neither: such a row may not be read.
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
