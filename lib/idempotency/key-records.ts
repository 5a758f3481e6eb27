import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import type { PlanRunner } from '../run/plan-runner.service.js';
import type { RequestContext } from '../platform/request-context.js';
import type { Claim, IdempotencyStore, StoredRecord, StoredReply, RecordId } from '../options/idempotency-store.js';

/** The request that looks up a record, and the runner of its query. */
export interface Looking {
  readonly requestContext: RequestContext;
  readonly runner: Pick<PlanRunner, 'runQuery'>;
}

/** The error of a claim whose key another unfinished request has claimed. Nothing has been written. */
export class KeyHeldError extends Error {
  override readonly name = 'KeyHeldError';

  constructor() {
    super('Another request with this idempotency key is running.');
  }
}

/** The largest number of rows that one statement removes, because a longer statement would hold its locks for long. */
export const SWEPT_AT_ONCE = 1000;

/**
 * The records of idempotency keys. A record becomes visible when the transaction of its write is committed. There are no records of unfinished or
 * failed requests.
 */
export interface KeyRecords {
  /** Whether a claim may wait for the transaction of another one. */
  mayWait(open: Executor): boolean;
  /** Returns the record of a key. @returns undefined if no finished request has this key */
  find(id: RecordId, looking: Looking): Promise<StoredRecord | undefined>;
  /**
   * Claims a key in the transaction of its write.
   *
   * @throws KeyHeldError if another request has claimed it: the transaction has to be rolled back
   */
  claim(open: Executor, claim: Claim): Promise<void>;
  /** Stores the response, in the transaction that has claimed the key. */
  complete(open: Executor, id: RecordId, reply: StoredReply): Promise<void>;
  /** Releases the claim of a failed write. */
  release(id: RecordId, looking: Looking): Promise<void>;
  /** Removes at most {@link SWEPT_AT_ONCE} expired records. @returns the number of removed records */
  sweep(executor: Executor, now: Date): Promise<number>;
}

/** The records in a store that the application provides. */
export class StoreRecords implements KeyRecords {
  constructor(private readonly store: IdempotencyStore) {}

  mayWait(): boolean {
    return true;
  }

  async find(id: RecordId, { requestContext }: Looking): Promise<StoredRecord | undefined> {
    // A store in JavaScript may return null instead of undefined.
    return (await this.store.find(await requestContext.client(), id)) ?? undefined;
  }

  async claim(open: Executor, claim: Claim): Promise<void> {
    if ((await this.store.claim(clientOf(open), claim)) !== 'claimed') throw new KeyHeldError();
  }

  complete(open: Executor, id: RecordId, reply: StoredReply): Promise<void> {
    return this.store.complete(clientOf(open), id, reply);
  }

  async release(id: RecordId, { requestContext }: Looking): Promise<void> {
    await this.store.release?.(await requestContext.client(), id);
  }

  sweep(executor: Executor, now: Date): Promise<number> {
    return this.store.sweep(clientOf(executor), now);
  }
}

function clientOf({ client }: Executor): DataClient {
  if (!client) throw new TypeError('A store of idempotency keys needs the data client, and there is none.');
  return client();
}
