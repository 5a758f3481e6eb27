/** Error of one call of a transaction, which is rolled back unless `isDone` is true. `cause` is the data layer's error. */
export class FailedCallError extends Error {
  override readonly name = 'FailedCallError';

  constructor(
    /** Position of the call in its plan, from 0. */
    readonly index: number,
    cause: unknown,
    /** Whether all calls are committed, and only the result of the last one is missing. */
    readonly isDone = false,
  ) {
    super(`Call ${index} of a transaction failed.`, { cause });
  }
}
