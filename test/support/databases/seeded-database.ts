import type { OpenDatabase } from '../pglite-database.js';

/** A database that holds the seed. */
export interface SeededDatabase extends OpenDatabase {
  /** The statements that bring the seed back. */
  readonly restore: readonly string[];
}
