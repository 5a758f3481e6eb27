import type { DataClient } from '../data-client/data-client.js';
import type { Executor } from '../data-client/executor.js';
import type { IdempotencyStore } from './idempotency-store.js';
import { type Claim, type KeptRecord, type KeptReply, KeyHeldError, type KeyRecords, type Looking, type RecordId } from './key-records.js';

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
