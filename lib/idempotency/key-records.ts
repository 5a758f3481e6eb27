import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import type { PlanRunner } from '../run/plan-runner.service.js';
import type { RequestContext } from '../platform/request-context.js';
import type { Claim, IdempotencyStore, KeptRecord, KeptReply, RecordId } from '../options/idempotency-store.js';

/** Who looks for a record. */
export interface Looking {
  readonly exchange: RequestContext;
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

/** The records in a store of the host's. */
export class StoreRecords implements KeyRecords {
  constructor(private readonly store: IdempotencyStore) {}

  async find(id: RecordId, { exchange }: Looking): Promise<KeptRecord | undefined> {
    // A store in JavaScript may well give null.
    return (await this.store.find(await exchange.client(), id)) ?? undefined;
  }

  async claim(open: Executor, claim: Claim): Promise<void> {
    if ((await this.store.claim(clientOf(open), claim)) !== 'claimed') throw new KeyHeldError();
  }

  complete(open: Executor, id: RecordId, reply: KeptReply): Promise<void> {
    return this.store.complete(clientOf(open), id, reply);
  }

  async release(id: RecordId, { exchange }: Looking): Promise<void> {
    await this.store.release?.(await exchange.client(), id);
  }

  sweep(executor: Executor, now: Date): Promise<number> {
    return this.store.sweep(clientOf(executor), now);
  }
}

function clientOf({ client }: Executor): DataClient {
  if (!client) throw new TypeError('A store of idempotency keys needs the data client, and there is none.');
  return client();
}
