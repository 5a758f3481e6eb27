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
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      signal?.removeEventListener('abort', abort);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}

/** A key of 128 random bits; browsers have no `randomUUID` on pages that came by plain HTTP. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
