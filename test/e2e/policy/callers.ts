/** Who asks in the matrix of policies, seen from the posts of user 2. */
export const CALLERS = { anonymous: undefined, author: 2, other: 3, admin: 1 } as const;

export type CallerName = keyof typeof CALLERS;

export const CALLER_NAMES = Object.keys(CALLERS) as readonly CallerName[];
