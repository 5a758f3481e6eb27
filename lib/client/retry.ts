import { RpcClientError } from './rpc-client-error.js';

/** Milliseconds before the second attempt. Each further pause is twice as long. */
const FIRST_PAUSE = 100;

/** The longest pause in milliseconds. If the server demands a longer one in `Retry-After`, the error is thrown instead. */
const LONGEST_PAUSE = 30_000;

/** The error of a request without a complete response. Its `cause` is the original error. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/**
 * Returns the pause before a request is sent again.
 *
 * @param attempt the number of earlier retries
 * @returns milliseconds; undefined if another attempt cannot succeed
 */
export function pauseBefore(error: unknown, attempt: number): number | undefined {
  // The random part spreads the retries of clients that have failed at the same time.
  const own = FIRST_PAUSE * 2 ** attempt * (0.5 + Math.random() / 2);
  if (error instanceof NoAnswerError) return Math.min(own, LONGEST_PAUSE);
  if (!(error instanceof RpcClientError) || !isPassing(error)) return undefined;
  const pause = error.retryAfter === undefined ? own : error.retryAfter * 1000;
  return pause <= LONGEST_PAUSE ? pause : undefined;
}

function isPassing({ status, reason }: RpcClientError): boolean {
  return PASSING.has(status) || reason === 'idempotency-in-progress';
}

/** Too many requests, and the status codes of a proxy or server that is temporarily unavailable. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Waits, unless the signal aborts. @throws the reason of the signal */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await abortable(elapsed, signal).finally(() => {
    clearTimeout(timer);
  });
}

/** Returns a key of 128 random bits. Browsers have no `crypto.randomUUID` on pages that were loaded over plain HTTP. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the result of a promise, or rejects with the reason of the signal as soon as it aborts. */
export function abortable(result: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void result.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

/**
 * Returns a signal that aborts once all given signals have aborted. Returns undefined if one of them is undefined, because that one never aborts.
 *
 * @param until removes the listeners from the given signals
 */
export function allAborted(signals: readonly (AbortSignal | undefined)[], until: AbortSignal): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  if (given.length < signals.length) return undefined;
  const all = new AbortController();
  const abort = () => {
    if (given.every(({ aborted }) => aborted)) all.abort();
  };
  for (const signal of given) signal.addEventListener('abort', abort, { signal: until });
  return all.signal;
}

/**
 * Parses the header `Retry-After` (RFC 9110, section 10.2.3), which holds seconds or a date.
 *
 * @param now milliseconds since 1970, as `Date.now` returns them
 * @returns seconds, 0 for a date that has passed; undefined if the header is absent or invalid
 */
export function readRetryAfter(header: string | null | undefined, now = Date.now()): number | undefined {
  if (header === null || header === undefined || header === '') return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  // `Date.parse` also accepts texts that are not dates, such as '-1'.
  const date = header.endsWith(' GMT') ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
