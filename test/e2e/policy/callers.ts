import { sample } from '../../support/sample.js';

/** The callers in the tests of policies, named by their relation to the posts of user 2. */
export const CALLERS = { anonymous: undefined, author: 2, other: 3, admin: 1 } as const;

export type CallerName = keyof typeof CALLERS;

/** The callers in `npm test` where another suite tests the same policies for all callers. Both have hidden rows. */
export const FEWER_CALLERS = sample.choose(['author'] as const, undefined);

export const CALLER_NAMES = Object.keys(CALLERS) as readonly CallerName[];
