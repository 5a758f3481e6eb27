import { ApiError } from '../errors/api-error.js';
import { MAX_TIMER } from '../utils/max-timer.js';

/** The time limit of work, and how it ends. */
export interface Deadline {
  /** Milliseconds, or Infinity. */
  readonly maxDuration: number;
  /** Whether the client has closed its connection. */
  readonly isGone?: (() => boolean) | undefined;
  /** Converts the error `unavailable` into the error of the request. */
  readonly explain: (late: ApiError) => Error;
  /**
   * Whether late work is awaited until its next check of the deadline. This is for transactions of the application, which continues as soon as the
   * result is there.
   */
  readonly isAwaited?: boolean;
}

/** The check that aborts work early. Work calls it before each query, and before the commit. */
export interface AbortCheck {
  /**
   * Checks the deadline and the connection of the client.
   *
   * @throws ApiError `unavailable` when the deadline has passed, or the client has disconnected
   */
  readonly throwIfAborted: () => void;
}

/**
 * Returns the result of work that ends before its deadline. After the deadline, the promise rejects without waiting for the work, unless `isAwaited`
 * is set. If only the client has disconnected, the work is aborted but still awaited.
 *
 * Work polls the check, because an `AbortController` and a listener on the connection cost too much for each request.
 *
 * @throws the error that `explain` returns for the error `unavailable`
 */
export function withDeadline<Result>(
  { maxDuration, isGone, explain, isAwaited = false }: Deadline,
  work: (waiting: AbortCheck) => Promise<Result>,
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
