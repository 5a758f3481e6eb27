import { ApiError } from '../errors/api-error.js';

/** The longest that a timer can wait. */
const MAX_TIMER = 2 ** 31 - 1;

/** The time limit of work. */
export interface Deadline {
  /** Milliseconds, or Infinity. */
  readonly maxDuration: number;
  /** Calls back when the client closes its connection; returns a function that unsubscribes. */
  readonly onceGone?: ((listener: () => void) => () => void) | undefined;
  /** The error for work that takes too long. */
  readonly explain: (late: ApiError) => Error;
}

/**
 * The result of work that ends in time. Otherwise the signal tells the work to stop, and this does not wait for it. If only the client has
 * closed its connection, the signal is the same, but this waits for the work.
 *
 * @throws what `explain` makes of the error `unavailable`
 */
export function within<Result>(
  { maxDuration, onceGone, explain }: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const stopListening = onceGone?.(() => {
    controller.abort(new ApiError('unavailable', 'The client has closed its connection.'));
  });
  return new Promise<Result>((resolve, reject) => {
    const expire = (): void => {
      const late = lateError(maxDuration);
      controller.abort(late);
      reject(explain(late));
    };
    const timer = maxDuration <= MAX_TIMER ? setTimeout(expire, maxDuration) : undefined;
    const finish = (): void => {
      clearTimeout(timer);
      stopListening?.();
    };
    work(controller.signal).then(resolve, reject).finally(finish);
  });
}

function lateError(maxDuration: number): ApiError {
  const detail = `This request took longer than limits.maxDuration allows: ${maxDuration} ms. Ask for less, or try again later.`;
  return new ApiError('unavailable', detail, { headers: { 'Retry-After': '1' } });
}
