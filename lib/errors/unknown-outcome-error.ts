/** The reason for an unknown outcome: the database did not confirm the write, or a later step failed. */
export type UnknownOutcomeReason = 'unconfirmed' | 'unanswered';

/** Error of a write that may be stored. `cause` is the original error, or the reason to stop waiting for the result. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';

  constructor(
    cause: unknown,
    readonly doubt: UnknownOutcomeReason = 'unconfirmed',
  ) {
    super('Nobody knows whether a write was done.', { cause });
  }
}
