import type { Client } from 'pg';

/** What a response says about its write. */
export type Told = 'stored' | 'not stored' | 'unknown';

/** A write that was sent, whose rows have its mark. */
export interface Entry {
  readonly mark: string;
  /** The rows that it stores, all or none. */
  readonly rows: number;
  /** Whether it has an idempotency key, which is its mark. */
  readonly isKeyed: boolean;
  readonly told: Told;
}

/** Counts the writes that a client was told of, and those that the database has. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();

  add(entry: Entry): void {
    this.#entries.set(entry.mark, entry);
  }

  /** Returns how many writes each was told of. */
  count(told: Told): number {
    return [...this.#entries.values()].filter((entry) => entry.told === told).length;
  }

  /** Returns the writes that a client may repeat with their key. */
  get repeatable(): readonly Entry[] {
    return [...this.#entries.values()].filter(({ isKeyed, told }) => isKeyed && told !== 'stored');
  }

  /** Returns one line for each write whose stored rows are not what its client was told. */
  async differences(database: Client): Promise<readonly string[]> {
    const { rows } = await database.query<{ type: string; n: number }>('SELECT type, count(*)::int AS n FROM "AuditEvent" GROUP BY type');
    const stored = new Map(rows.map(({ type, n }) => [type, n]));
    const wrong = [...this.#entries.values()].filter((entry) => !isTrue(entry, stored.get(entry.mark) ?? 0));
    return wrong.map(({ mark, told, rows: expected }) => `${mark}: told ${told}, ${stored.get(mark) ?? 0} of ${expected} rows`);
  }
}

/** An unknown outcome is all or nothing, as well. */
function isTrue({ told, rows }: Entry, stored: number): boolean {
  if (told === 'unknown') return stored === 0 || stored === rows;
  return stored === (told === 'stored' ? rows : 0);
}
