import type { Executor } from '../executor/executor.js';
import type { ApiReply, WriteRecord } from '../http/api-request.js';
import { strongTag } from '../platform/outgoing.js';
import { type SizeLimit, replyBytes } from '../http/response-size.js';
import { KeyHeldError, type KeyRecords, type Looking } from './key-records.js';
import type { Claim } from '../options/idempotency-store.js';

/** The least time, in milliseconds, for which a claim may wait for another transaction. Only some databases wait. */
const LEAST_WAIT = 100;

/** A write with an idempotency key. The record of the key is the first row that its transaction writes, and the response is stored last. */
export class KeyedWrite implements WriteRecord {
  /** Resolves when the claim has waited too long. From then on nothing is written, even if the claim succeeds later. */
  readonly tooLate: Promise<void>;
  #expire: () => void = () => undefined;
  #isLate = false;
  #hasClaimed = false;
  /** Whether the request has failed. From then on nothing is claimed or stored. */
  #isOver = false;
  /** The running call of the store. */
  #running: Promise<void> | undefined;

  constructor(
    private readonly records: KeyRecords,
    private readonly looking: Looking,
    private readonly claim: Claim,
    /** Milliseconds for which the claim may wait. */
    private readonly patience: number,
  ) {
    this.tooLate = new Promise((resolve) => (this.#expire = resolve));
  }

  /** Claims the key in the transaction of the write. @throws KeyHeldError */
  async begin(open: Executor): Promise<void> {
    const expire = (): void => {
      this.#isLate = true;
      this.#expire();
    };
    // A repeated attempt follows a write conflict, which has rolled back the transaction of the previous claim.
    await this.#release();
    // Where a claim does not wait for another one, only a database that does not respond delays it: that is 503 after `limits.maxDuration`.
    const timer = this.records.mayWait(open) ? setTimeout(expire, Math.max(this.patience, LEAST_WAIT)) : undefined;
    try {
      await this.#call(async () => {
        await this.records.claim(open, this.claim);
        this.#hasClaimed = true;
      });
    } finally {
      clearTimeout(timer);
    }
    if (this.#isLate) throw new KeyHeldError();
  }

  /** Whether a call of the store has not returned. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Releases the claim of a write that is rolled back. Because the deadline may pass during a call of the store, the claim is released after that call
   * has returned.
   */
  async giveUp(): Promise<void> {
    this.#isOver = true;
    await this.#running?.catch(() => undefined);
    await this.#release();
  }

  /** Runs a call of the store. @throws KeyHeldError if the request has failed */
  async #call(work: () => Promise<void>): Promise<void> {
    if (this.#isOver) throw new KeyHeldError();
    this.#running = work();
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  async #release(): Promise<void> {
    if (!this.#hasClaimed) return;
    this.#hasClaimed = false;
    await this.records.release(this.claim.id, this.looking);
  }

  async end(open: Executor, reply: ApiReply): Promise<void> {
    const { status, headers = {}, version } = reply;
    const body = replyBytes(reply, UNLIMITED) ?? null;
    const tag = version !== undefined && body && { ETag: strongTag(version, body) };
    await this.#call(() => this.records.complete(open, this.claim.id, { status, headers: { ...headers, ...tag }, body }));
  }
}

/** The response is rendered by now, and its size was checked. */
const UNLIMITED: SizeLimit = { bytes: Infinity, given: Infinity };
