import type { ApiError } from './api-error.js';

/**
 * What the data layer threw (`cause`), and how its mapping gains what only the thrower knows: which record, and which member of the request,
 * it is about.
 */
export class ExplainedError extends Error {
  override readonly name = 'ExplainedError';

  constructor(
    /** Takes the mapped error, the host's own mapping included, and gives it or a better one. */
    readonly explain: (error: ApiError) => ApiError,
    cause: unknown,
  ) {
    super('A request failed in the data layer.', { cause });
  }
}
