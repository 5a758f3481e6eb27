/** The maximum delay of a Node timer, in milliseconds. */
export const MAX_TIMER = 2 ** 31 - 1;
