import { defineRules } from 'nestjs-resource-api';
import type { Caller, CallerRequest } from './caller.guard.js';
import type { Prisma, PrismaClient } from './generated/prisma/client.js';

/** Who may read and write which rows: the policies that `sample/blog` has in SQL (`prisma/migrations/*_row_level_security`). */
export const rules = defineRules<PrismaClient, CallerRequest>()({
  // Everybody sees who writes here. A user edits themselves, but not their role; an admin manages users.
  User: {
    read: true,
    update: {
      using: signedIn(({ id, role }) => role === 'ADMIN' || { id }),
      check: signedIn(({ id, role }) => role === 'ADMIN' || { id, role }),
    },
    delete: isAdmin,
  },

  // Public, and their user's to write.
  Profile: { 'read': true, '*': signedIn(({ id }) => ({ userId: id })) },

  // Anyone reads what is published; an author also reads, and alone writes, the own. An admin reads everything.
  Post: {
    read: ({ caller }) => caller?.role === 'ADMIN' || publishedOrOwn(caller),
    create: signedIn(({ id, role }) => role !== 'READER' && { authorId: id }),
    update: {
      using: signedIn(({ id }) => ({ authorId: id })),
      check: signedIn(({ id, role }) => role !== 'READER' && { authorId: id }),
    },
    delete: signedIn(({ id }) => ({ authorId: id })),
  },

  // Seen where the post is, and there every user may write some; an admin removes any.
  Comment: {
    read: ({ caller }) => caller?.role === 'ADMIN' || { post: publishedOrOwn(caller) },
    create: signedIn(ownComment),
    update: {
      using: signedIn(({ id }) => ({ authorId: id })),
      check: signedIn(ownComment),
    },
    delete: signedIn(({ id, role }) => role === 'ADMIN' || { authorId: id }),
  },

  // Authors make them, an admin tidies up. To put one on a post is to update the post.
  Tag: { read: true, create: signedIn(({ role }) => role !== 'READER'), update: isAdmin, delete: isAdmin },
});

/** The posts that everyone reads, and the caller's own. Rules do not apply within rules, so that a rule about comments names the posts itself. */
function publishedOrOwn(caller: Caller | undefined): Prisma.PostWhereInput {
  return { OR: [{ published: true }, ...(caller ? [{ authorId: caller.id }] : [])] };
}

/** The caller's own comment, on a post that the caller reads. */
function ownComment(caller: Caller): Prisma.CommentWhereInput {
  return { authorId: caller.id, ...(caller.role !== 'ADMIN' && { post: publishedOrOwn(caller) }) };
}

/** Returns a rule for callers who are signed in. All rows are hidden from others. */
function signedIn<Where>(rule: (caller: Caller) => boolean | Where) {
  return ({ caller }: CallerRequest): boolean | Where => caller !== undefined && rule(caller);
}

function isAdmin({ caller }: CallerRequest): boolean {
  return caller?.role === 'ADMIN';
}
