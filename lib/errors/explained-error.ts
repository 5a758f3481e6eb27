import type { ApiError } from './api-error.js';

/** An error of the data layer (`cause`) with a function that adds the record and the member of the request to the mapped error. */
export class ExplainedError extends Error {
  override readonly name = 'ExplainedError';

  constructor(
    /** Receives the mapped error, after the option `mapError`, and returns it or a more specific one. */
    readonly explain: (error: ApiError) => ApiError,
    cause: unknown,
  ) {
    super('A request failed in the data layer.', { cause });
  }
}
