/** The reason of an error that says that a write stands. */
export const RESULT_NOT_READABLE = 'RESULT_NOT_READABLE';

/** A write is done, and an access policy hides its result: {@link RESULT_NOT_READABLE} (specification, section 7). It is told as the data layer tells it. */
export class UnreadableResultError extends Error {
  override readonly name = 'UnreadableResultError';
  readonly meta = { reason: RESULT_NOT_READABLE } as const;

  constructor() {
    super('What was written may not be read.');
  }
}
