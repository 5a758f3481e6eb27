import { ApiError } from '../errors/api-error.js';

/** The longest that a timer can wait. */
const MAX_TIMER = 2 ** 31 - 1;

/** When work has to end. */
export interface Deadline {
  /** Milliseconds, or Infinity. */
  readonly maxDuration: number;
  /** Calls back when the client has closed its connection; gives what ends that. */
  readonly onceGone?: ((listener: () => void) => () => void) | undefined;
  /** What is thrown when its time is up. */
  readonly explain: (late: ApiError) => Error;
}

/**
 * The result of work that ends in time. What does not is no longer waited for, and told by the signal to stop. Where only the client has gone
 * it is told the same, and waited for: nobody else does.
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
