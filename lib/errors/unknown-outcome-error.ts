/** Why the outcome is unknown: the database has not confirmed it, or a later step failed. */
export type Doubt = 'unconfirmed' | 'unanswered';

/** A write failed when it may already have been done; `cause` is what was thrown, or why it was no longer waited for. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';

  constructor(
    cause: unknown,
    readonly doubt: Doubt = 'unconfirmed',
  ) {
    super('Nobody knows whether a write was done.', { cause });
  }
}
