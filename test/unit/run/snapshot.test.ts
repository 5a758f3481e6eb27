import { describe, expect, it } from '@jest/globals';
import { openSnapshot } from '../../../lib/run/snapshot.js';

interface Ended {
  readonly options: object;
  readonly statements: readonly string[];
  hasEnded: boolean;
}

/** A client with transactions, and what happens in the last of them. */
function clientAt(isolation: unknown, { fails }: { fails?: Error } = {}): { readonly client: object; readonly seen: Ended } {
  const statements: string[] = [];
  const seen: Ended = { options: {}, statements, hasEnded: false };
  const open = {
    name: 'open',
    $queryRawUnsafe: (text: string) => {
      statements.push(text);
      return Promise.resolve(isolation === undefined ? [] : [{ isolation }]);
    },
  };
  const client = {
    $queryRawUnsafe: () => Promise.reject(new Error('This is not in the transaction.')),
    $transaction: async (work: (client: object) => Promise<unknown>, options: object) => {
      Object.assign(seen, { options });
      try {
        await work(open);
      } finally {
        seen.hasEnded = true;
      }
      if (fails) throw fails;
    },
  };
  return { client, seen };
}

describe('a snapshot of the database', () => {
  it.each(['repeatable read', 'serializable'])(
    'is a transaction that only reads, at %s, and is open until it is ended',
    async (isolation) => {
      const { client, seen } = clientAt(isolation);
      const snapshot = await openSnapshot(client, 5_000);
      expect(snapshot.client).toMatchObject({ name: 'open' });
      expect(seen).toMatchObject({ options: { isolationLevel: 'RepeatableRead', timeout: 5_000 }, hasEnded: false });
      expect(seen.statements).toEqual([expect.stringContaining(`set_config('transaction_read_only', 'on', true)`)]);
      await snapshot.end();
      expect(seen.hasEnded).toBe(true);
      await snapshot.end();
    },
  );

  it('ends although its transaction fails', async () => {
    const { client, seen } = clientAt('repeatable read', { fails: new Error('The connection is lost.') });
    const snapshot = await openSnapshot(client, 5_000);
    await snapshot.end();
    expect(seen.hasEnded).toBe(true);
  });

  it.each(['read committed', undefined])('is refused where the transaction is at %s, and the transaction is ended', async (isolation) => {
    const { client, seen } = clientAt(isolation);
    await expect(openSnapshot(client, 5_000)).rejects.toThrow(
      `An export cannot be a snapshot: the transactions of the data client are at ${String(isolation)}.`,
    );
    expect(seen.hasEnded).toBe(true);
  });

  it('is refused of a client without transactions, and of one without raw SQL', async () => {
    await expect(openSnapshot({}, 5_000)).rejects.toThrow('An export cannot be a snapshot: the data client has no $transaction.');
    const client = { $transaction: (work: (open: object) => Promise<unknown>) => work({}) };
    await expect(openSnapshot(client, 5_000)).rejects.toThrow('An export cannot be a snapshot: the data client has no $queryRawUnsafe.');
  });
});
