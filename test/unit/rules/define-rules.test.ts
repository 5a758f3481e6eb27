import { defineRules, reason, type PlatformRequest, type RulesOption } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';

interface CallerRequest extends PlatformRequest {
  readonly callerId?: number;
}

const define = defineRules<PrismaClient, CallerRequest>();

describe('defineRules', () => {
  it('returns its argument, as the option of the module', () => {
    const given = {
      'Post': {
        read: ({ callerId }: CallerRequest) => ({ OR: [{ published: true }, ...(callerId === undefined ? [] : [{ authorId: callerId }])] }),
        create: async ({ callerId }: CallerRequest) => Promise.resolve(callerId === undefined ? false : { author: { id: callerId } }),
        update: { using: { authorId: 1 }, check: true },
      },
      // Hidden fields and models, too.
      'User': { read: { passwordHash: { not: '' }, tokens: { some: {} } } },
      'ApiToken': true,
      '*': { read: ({ callerId }: CallerRequest) => callerId !== undefined },
    } as const;
    const rules: RulesOption = define(given);
    expect(rules).toBe(given);
  });

  /** Compiled with the tests: each line has to be an error. */
  it('types each where by its model', () => {
    expect([
      // @ts-expect-error -- no such model
      define({ 'Pots': true, '*': false }),
      // @ts-expect-error -- no such action
      define({ Post: { raed: true } }),
      // @ts-expect-error -- no such field
      define({ Post: { read: { titel: 'x' } } }),
      // @ts-expect-error -- a field of another type
      define({ Post: { read: () => ({ authorId: 'x' }) } }),
      // @ts-expect-error -- no such field of the related model
      define({ Post: { update: { using: { author: { is: { titel: 'x' } } } } } }),
      // @ts-expect-error -- no where of all models
      define({ '*': { read: { id: 1 } } }),
      // @ts-expect-error -- a field of another type
      define({ Post: { update: reason('a', () => ({ authorId: 'x' })) } }),
      // @ts-expect-error -- a read rule hides rows and throws no error
      define({ Post: { read: reason('a', true) } }),
    ]).toHaveLength(8);
  });
});
