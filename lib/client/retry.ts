import { RpcClientError } from './rpc-client-error.js';

/** Milliseconds before the second attempt; each further pause is twice as long. */
const FIRST_PAUSE = 100;

/** Who is asked to wait longer than this is told. */
const LONGEST_PAUSE = 30_000;

/** A request had no answer, or none that could be read to its end; `cause` is what was thrown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/**
 * How long to wait before a request is sent again.
 *
 * @param attempt how often it was sent before, less one
 * @returns milliseconds; undefined where another attempt would end as this one did
 */
export function pauseBefore(error: unknown, attempt: number): number | undefined {
  // Many clients that have failed at once should not come back at once.
  const own = FIRST_PAUSE * 2 ** attempt * (0.5 + Math.random() / 2);
  if (error instanceof NoAnswerError) return Math.min(own, LONGEST_PAUSE);
  if (!(error instanceof RpcClientError) || !isPassing(error)) return undefined;
  const pause = error.retryAfter === undefined ? own : error.retryAfter * 1000;
  return pause <= LONGEST_PAUSE ? pause : undefined;
}

function isPassing({ status, reason }: RpcClientError): boolean {
  return PASSING.has(status) || reason === 'idempotency-in-progress';
}

/** Too many requests, and what a server or a proxy answers in place of one that is not there. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Waits, unless the signal aborts. @throws the signal's reason */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await abortable(elapsed, signal).finally(() => {
    clearTimeout(timer);
  });
}

/** A key of 128 random bits; browsers have no `randomUUID` on pages that came by plain HTTP. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a promise gives, or the signal's reason as soon as that aborts. */
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
 * A signal that aborts once all the given ones have; undefined where one of them is, for that one never does.
 *
 * @param until stops listening to them
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
 * Reads the header `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date.
 *
 * @param now milliseconds since 1970, as `Date.now` gives them
 * @returns seconds, 0 for a date that has passed; undefined where the header is absent or neither
 */
export function readRetryAfter(header: string | null | undefined, now = Date.now()): number | undefined {
  if (header === null || header === undefined || header === '') return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  // `Date.parse` takes much for a date, '-1' among it.
  const date = header.endsWith(' GMT') ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
