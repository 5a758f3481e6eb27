import type { DataCall } from '../../executor/plan.js';
import type { FindUnique } from '../../query/read.js';
import type { Create, Delete, Update, Upsert } from '../../query/write.js';
import type { ReferredRecord } from '../../run/stages/references/existence-checks.js';

/** The calls of a write of one row. */
export interface WriteSteps {
  readonly checks: readonly DataCall[];
  /** Finds what an upsert updates: the data client does not say what it did. */
  readonly look?: DataCall<FindUnique>;
  readonly query: Create | Update | Upsert | Delete;
  /** All that must be there for it. */
  readonly records: readonly ReferredRecord[];
  /** Whether the write takes values of rows that a check returns. */
  readonly awaitsRows?: true;
}
