import type { Executor } from '../data-client/executor.js';
import type { PlanRunner } from '../execution/plan-runner.service.js';
import type { Exchange } from '../platform/exchange.js';

/** Whose key for what, which is where its answer is kept. */
export interface RecordId {
  /** The caller, and behind a space a digest of caller, method, path and key. */
  readonly scope: string;
  readonly key: string;
}

/** An answer as it was given. */
export interface KeptReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where there was none. */
  readonly body: Uint8Array | null;
}

/** What is kept of a request that was answered. */
export interface KeptRecord {
  readonly fingerprint: string;
  readonly expiresAt: Date;
  readonly reply: KeptReply;
}

/** Which request claims a key. */
export interface Claim {
  readonly id: RecordId;
  /** Of the request: another one with this key is refused. */
  readonly fingerprint: string;
  readonly expiresAt: Date;
  /** Whether an earlier record of it is there, and has expired. */
  readonly replaces: boolean;
}

/** Who looks for a record. */
export interface Looking {
  readonly exchange: Exchange;
  readonly runner: Pick<PlanRunner, 'ask'>;
}

/** Another request with the same key has begun, and has not ended. Nothing is written. */
export class KeyHeldError extends Error {
  override readonly name = 'KeyHeldError';

  constructor() {
    super('Another request with this idempotency key is running.');
  }
}

/** Rows that one statement removes: a longer one would hold its locks for long. */
export const SWEPT_AT_ONCE = 1000;

/**
 * The records of keys. One is there once its transaction is committed, and not before: there are none of requests that are under way, or of those that
 * failed.
 */
export interface KeyRecords {
  /** @returns undefined where nothing is kept of a request that was answered */
  find(id: RecordId, looking: Looking): Promise<KeptRecord | undefined>;
  /**
   * Claims a key in the transaction of its write.
   *
   * @throws KeyHeldError where another one has it: the transaction has to be rolled back
   */
  claim(open: Executor, claim: Claim): Promise<void>;
  /** Keeps the answer, in the transaction that has claimed the key. */
  complete(open: Executor, id: RecordId, reply: KeptReply): Promise<void>;
  /** Gives up the claim of a write that failed. */
  release(id: RecordId, looking: Looking): Promise<void>;
  /** Removes at most {@link SWEPT_AT_ONCE} records that have expired. @returns how many */
  sweep(executor: Executor, now: Date): Promise<number>;
}
