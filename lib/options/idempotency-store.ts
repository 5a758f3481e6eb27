import type { DataClient } from '../executor/data-client.js';

/**
 * Storage for the responses of the option `idempotency` outside of the Prisma schema.
 *
 * A store that writes with the client it receives is as safe as the model: the record and the write are in one transaction.
 *
 * A store that writes elsewhere, e.g. to Redis, has weaker guarantees. If the process or the database fails between `complete` and the
 * `COMMIT`, the store replays a success for a write that was rolled back. If the process fails before `complete`, the claim remains until
 * it expires.
 */
export interface IdempotencyStore<Client extends DataClient = DataClient> {
  /**
   * Looks up the stored response of a key, before the request does anything else.
   *
   * @param client the data client of the request
   * @returns undefined if no response is stored. Requests that are running or have failed have none. An expired record may be returned
   */
  find(client: Client, id: RecordId): Promise<StoredRecord | undefined>;
  /**
   * Claims a key. This is the first statement in the transaction of the write.
   *
   * @param client the client of that transaction
   * @returns `'held'` if another request has the key. The request then waits for it, and writes nothing
   */
  claim(client: Client, claim: Claim): Promise<'claimed' | 'held'>;
  /**
   * Stores the response. This is the last statement of the transaction before its commit.
   *
   * @param client the client of that transaction
   */
  complete(client: Client, id: RecordId, reply: StoredReply): Promise<void>;
  /**
   * Releases the claim of a write that was rolled back. A store that writes with the client of the transaction does not need this method.
   */
  release?(client: Client, id: RecordId): Promise<void>;
  /**
   * Removes at most 1,000 records that have expired at `now`. It is called again until it removes fewer.
   *
   * @returns the number of removed records
   */
  sweep(client: Client, now: Date): Promise<number>;
}

/** Identifies a stored response: the caller's scope and the key. */
export interface RecordId {
  /** The caller, a space, and a digest of caller, method, path and key. */
  readonly scope: string;
  readonly key: string;
}

/** A stored response. */
export interface StoredReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the response has no body. */
  readonly body: Uint8Array | null;
}

/** The record of a request that has a stored response. */
export interface StoredRecord {
  readonly fingerprint: string;
  readonly expiresAt: Date;
  readonly reply: StoredReply;
}

/** A request that claims a key. */
export interface Claim {
  readonly id: RecordId;
  /** Identifies the content of the request. A request with the same key and another fingerprint is refused. */
  readonly fingerprint: string;
  readonly expiresAt: Date;
  /** Whether the store has an expired record of this key. */
  readonly replaces: boolean;
}
