/** The reason of an error after a committed write. */
export const RESULT_NOT_READABLE = 'RESULT_NOT_READABLE';

/**
 * Error of a committed write whose result an access policy hides: {@link RESULT_NOT_READABLE}
 * (specification, section 7). It has the shape of the data layer's own error.
 */
export class UnreadableResultError extends Error {
  override readonly name = 'UnreadableResultError';
  readonly meta = { reason: RESULT_NOT_READABLE } as const;

  constructor() {
    super('What was written may not be read.');
  }
}
