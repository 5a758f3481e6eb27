import type { Client } from 'pg';

/** The outcome of a write, according to its response. */
export type Outcome = 'stored' | 'not stored' | 'unknown';

/** A write that was sent, whose rows have its mark. */
export interface Entry {
  readonly mark: string;
  /** The rows that it stores, all or none. */
  readonly rows: number;
  /** Whether it has an idempotency key, which is its mark. */
  readonly isKeyed: boolean;
  readonly outcome: Outcome;
}

/** Compares the outcomes of writes in responses with the rows in the database. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();

  add(entry: Entry): void {
    this.#entries.set(entry.mark, entry);
  }

  /** Returns the number of writes with an outcome. */
  count(outcome: Outcome): number {
    return [...this.#entries.values()].filter((entry) => entry.outcome === outcome).length;
  }

  /** Returns the writes that a client may repeat with their key. */
  get repeatable(): readonly Entry[] {
    return [...this.#entries.values()].filter(({ isKeyed, outcome }) => isKeyed && outcome !== 'stored');
  }

  /** Returns one line for each write whose stored rows contradict its response. */
  async differences(database: Client): Promise<readonly string[]> {
    const { rows } = await database.query<{ type: string; n: number }>('SELECT type, count(*)::int AS n FROM "AuditEvent" GROUP BY type');
    const stored = new Map(rows.map(({ type, n }) => [type, n]));
    const wrong = [...this.#entries.values()].filter((entry) => !isTrue(entry, stored.get(entry.mark) ?? 0));
    return wrong.map(({ mark, outcome, rows: expected }) => `${mark}: outcome ${outcome}, ${stored.get(mark) ?? 0} of ${expected} rows`);
  }
}

/** An unknown outcome is all or nothing, as well. */
function isTrue({ outcome, rows }: Entry, stored: number): boolean {
  if (outcome === 'unknown') return stored === 0 || stored === rows;
  return stored === (outcome === 'stored' ? rows : 0);
}
