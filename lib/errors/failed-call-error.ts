/** One call of several in a transaction failed, and with it all of them but where `isDone` says otherwise; `cause` is what the data layer threw. */
export class FailedCallError extends Error {
  override readonly name = 'FailedCallError';

  constructor(
    /** Position of the call in its plan, from 0. */
    readonly index: number,
    cause: unknown,
    /** Whether all of them are done, and only the result of the last is missing. */
    readonly isDone = false,
  ) {
    super(`Call ${index} of a transaction failed.`, { cause });
  }
}
