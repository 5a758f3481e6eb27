import type { DataClient } from '../executor/data-client.js';

/**
 * Where the option `idempotency` keeps its answers, if not in a model of the Prisma schema.
 *
 * A store that writes by the client that it is given is as safe as the model: record and write are one transaction. One that keeps its records elsewhere,
 * such as in Redis, cannot be: if the process is killed between `complete` and the `COMMIT`, or the database fails there, a write is told as done that is
 * not; if it is killed before `complete`, the claim stays until it expires.
 */
export interface IdempotencyStore<Client extends DataClient = DataClient> {
  /**
   * Looks up the answer of a key, before anything else is done.
   *
   * @param client that of the request
   * @returns undefined where there is none: of a request that is under way, or that failed, nothing is kept. One that has expired may be given
   */
  find(client: Client, id: RecordId): Promise<KeptRecord | undefined>;
  /**
   * Claims a key: the first that the transaction of the write does.
   *
   * @param client of the transaction
   * @returns `'held'` where another request has it, which is then waited for; nothing is written
   */
  claim(client: Client, claim: Claim): Promise<'claimed' | 'held'>;
  /**
   * Keeps the answer: the last that the transaction does before its commit.
   *
   * @param client of the transaction
   */
  complete(client: Client, id: RecordId, reply: KeptReply): Promise<void>;
  /** Gives up a claim whose write has failed, and is rolled back. A store that writes by the client of the transaction needs none. */
  release?(client: Client, id: RecordId): Promise<void>;
  /**
   * Removes records that have expired at `now`, a thousand at most: it is called again until it removes fewer.
   *
   * @returns how many
   */
  sweep(client: Client, now: Date): Promise<number>;
}

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
