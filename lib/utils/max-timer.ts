/** The longest that a timer of Node can wait, in milliseconds. */
export const MAX_TIMER = 2 ** 31 - 1;
