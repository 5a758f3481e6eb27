import { ApiError } from '../errors/api-error.js';
import { MAX_TIMER } from '../utils/max-timer.js';

/** The time limit of work. */
export interface Deadline {
  /** Milliseconds, or Infinity. */
  readonly maxDuration: number;
  /** Whether the client has closed its connection. */
  readonly isGone?: (() => boolean) | undefined;
  /** The error for work that takes too long. */
  readonly explain: (late: ApiError) => Error;
  /** Whether late work is waited for, which ends by itself at the next question whether it is: where somebody else goes on once it is answered. */
  readonly isAwaited?: boolean;
}

/** Ends work early. Work checks it before each query, and before the commit. */
export interface Waiting {
  /** @throws ApiError `unavailable` when the deadline has passed, or the client has disconnected */
  readonly throwIfAborted: () => void;
}

/**
 * The result of work that ends in time. Otherwise the signal tells the work to stop, and this does not wait for it, unless it must. If only the
 * client has closed its connection, the signal is the same, but this waits for the work.
 *
 * The signal is asked and calls nobody back: an `AbortController` and a listener on the connection cost too much for each request.
 *
 * @throws what `explain` makes of the error `unavailable`
 */
export function within<Result>(
  { maxDuration, isGone, explain, isAwaited = false }: Deadline,
  work: (waiting: Waiting) => Promise<Result>,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    let late: ApiError | undefined;
    const expire = (): void => {
      late = lateError(maxDuration);
      if (!isAwaited) reject(explain(late));
    };
    const timer = maxDuration <= MAX_TIMER ? setTimeout(expire, maxDuration) : undefined;
    const throwIfAborted = (): void => {
      if (late) throw late;
      if (isGone?.() === true) throw new ApiError('unavailable', 'The client has closed its connection.');
    };
    work({ throwIfAborted }).then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- It is what the work was rejected with.
        reject(late ? explain(late) : error);
      },
    );
  });
}

function lateError(maxDuration: number): ApiError {
  const detail = `This request took longer than limits.maxDuration allows: ${maxDuration} ms. Ask for less, or try again later.`;
  return new ApiError('unavailable', detail, { headers: { 'Retry-After': '1' } });
}
