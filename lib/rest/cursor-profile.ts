/** The Cursor Pagination profile of JSON:API, as its own page spells it; the registry's page leaves out the slash at the end (CP-13). */
export const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';

/** The kinds of problems that the profile has a URI for: `links.type` of an error. */
export const CURSOR_PROBLEMS = {
  /** CP-05 */
  maxSizeExceeded: `${CURSOR_PROFILE}max-size-exceeded`,
  /** CP-02 */
  unsupportedSort: `${CURSOR_PROFILE}unsupported-sort`,
} as const;
