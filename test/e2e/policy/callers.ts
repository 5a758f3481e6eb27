import { sample } from '../../support/sample.js';

/** Who asks in the matrix of policies, seen from the posts of user 2. */
export const CALLERS = { anonymous: undefined, author: 2, other: 3, admin: 1 } as const;

export type CallerName = keyof typeof CALLERS;

/** Who asks in `npm test` where the same policies are asked elsewhere as everyone: somebody with hidden rows of his own. */
export const FEWER_CALLERS = sample.choose(['author'] as const, undefined);

export const CALLER_NAMES = Object.keys(CALLERS) as readonly CallerName[];
