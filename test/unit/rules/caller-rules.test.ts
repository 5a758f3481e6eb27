import { CallerRules } from '../../../lib/rules/caller-rules.js';
import { compileRules } from '../../../lib/rules/compile-rules.js';
import type { ModelRules } from '../../../lib/rules/rules-option.js';
import { skip } from '@prisma/client/runtime/client';
import { Prisma } from '../../support/generated/prisma/client.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

function callerOf(Post: ModelRules, request: unknown = { callerId: 7 }): CallerRules {
  return new CallerRules(compileRules({ 'Post': Post, '*': false }, resourceSchema, []), request);
}

describe('CallerRules', () => {
  it('evaluates a rule once, with the request of the platform', async () => {
    const seen: unknown[] = [];
    const caller = callerOf({
      '*': (request) => {
        seen.push(request);
        return Promise.resolve({ id: 1 });
      },
    });
    const all = await Promise.all((['read', 'create', 'using', 'check', 'delete'] as const).map((name) => caller.evaluate('Post', name)));
    expect([all, seen]).toEqual([Array(5).fill({ id: 1 }), [{ callerId: 7 }]]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no session');
      },
      'rules.Post.read threw: no session',
    ],
    ['rejects', () => Promise.reject(new Error('no session')), 'rules.Post.read threw: no session'],
    ['gives nothing', () => undefined, 'rules.Post.read gave undefined: a rule is true, false or a Prisma where.'],
    ['gives null', () => null, 'rules.Post.read gave null: a rule is true, false or a Prisma where.'],
    ['gives a list', () => [], 'rules.Post.read gave an array: a rule is true, false or a Prisma where.'],
    ['gives a number', () => 1, 'rules.Post.read gave a number: a rule is true, false or a Prisma where.'],
    ['gives a class instance', () => new Date(), 'rules.Post.read gave a object: a rule is true, false or a Prisma where.'],
    [
      'has undefined in it',
      () => ({ authorId: undefined }),
      "rules.Post.read gave undefined at 'authorId', which Prisma takes for no condition at all.",
    ],
    [
      'has undefined deep in it',
      () => ({ OR: [{ published: true }, { author: { is: { id: undefined } } }] }),
      "rules.Post.read gave undefined at 'OR.1.author.is.id', which Prisma takes for no condition at all.",
    ],
    [
      'has undefined in a list',
      () => ({ id: { in: [1, undefined] } }),
      "rules.Post.read gave undefined at 'id.in.1', which Prisma takes for no condition at all.",
    ],
    ['skips', () => ({ authorId: skip }), "rules.Post.read gave Prisma.skip at 'authorId', which Prisma takes for no condition at all."],
    ['has a function in it', () => ({ authorId: () => 1 }), "rules.Post.read gave a function at 'authorId'."],
  ])('refuses a rule that %s, and says where it is', async (_, read, message) => {
    // The types refuse such rules.
    await expect(callerOf({ read: read as never }).evaluate('Post', 'read')).rejects.toThrow(message);
  });

  it('takes dates, decimals, bytes and nulls as values', async () => {
    const where = {
      createdAt: { lt: new Date(0) },
      rating: new Prisma.Decimal(1),
      reviewerId: null,
      metadata: Prisma.AnyNull,
      id: { in: [1n] },
    };
    await expect(callerOf({ read: () => where }).evaluate('Post', 'read')).resolves.toEqual(where);
  });
});
