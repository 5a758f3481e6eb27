/** One call of several in a transaction failed, and with it all of them; `cause` is what the data layer threw. */
export class FailedCallError extends Error {
  override readonly name = 'FailedCallError';

  constructor(
    /** Position of the call in its plan, from 0. */
    readonly index: number,
    cause: unknown,
  ) {
    super(`Call ${index} of a transaction failed.`, { cause });
  }
}
