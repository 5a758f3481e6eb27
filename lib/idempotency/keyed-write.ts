import type { Executor } from '../executor/executor.js';
import type { ApiReply, WriteRecord } from '../http/api-request.js';
import { strongTag } from '../platform/outgoing.js';
import { type SizeLimit, replyBytes } from '../http/response-size.js';
import { KeyHeldError, type KeyRecords, type Looking } from './key-records.js';
import type { Claim } from '../options/idempotency-store.js';

/** Databases where a claim waits for another transaction are not waited for longer than this, at least. */
const LEAST_WAIT = 100;

/** A write that comes with a key: the record of the key is the first row that its transaction writes, and its answer the last. */
export class KeyedWrite implements WriteRecord {
  /** Settles where the claim has waited too long: nothing is written, whenever it ends. */
  readonly tooLate: Promise<void>;
  #expire: () => void = () => undefined;
  #isLate = false;
  #hasClaimed = false;
  /** Whether the request has failed: nothing is claimed or kept from then on. */
  #isOver = false;
  /** The call of the store that has not returned. */
  #running: Promise<void> | undefined;

  constructor(
    private readonly records: KeyRecords,
    private readonly looking: Looking,
    private readonly claim: Claim,
    /** Milliseconds that the claim may wait. */
    private readonly patience: number,
  ) {
    this.tooLate = new Promise((resolve) => (this.#expire = resolve));
  }

  /** @throws KeyHeldError */
  async begin(open: Executor): Promise<void> {
    const expire = (): void => {
      this.#isLate = true;
      this.#expire();
    };
    // The attempt before has met another transaction, and is rolled back.
    await this.#release();
    const timer = setTimeout(expire, Math.max(this.patience, LEAST_WAIT));
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

  /** @throws KeyHeldError if the request has failed */
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

/** They are made by now, and within the limit. */
const UNLIMITED: SizeLimit = { bytes: Infinity, given: Infinity };
