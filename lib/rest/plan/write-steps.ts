import type { DataCall } from '../../executor/plan.js';
import type { FindUnique } from '../../query/read.js';
import type { Create, Delete, Update, Upsert } from '../../query/write.js';
import type { ReferencedRecord } from '../../run/checks/existence-checks.js';

/** The calls of a write of one row. */
export interface WriteSteps {
  readonly checks: readonly DataCall[];
  /** The look-up of the row that an upsert updates. The data client does not report whether it has created or updated the row. */
  readonly look?: DataCall<FindUnique>;
  readonly query: Create | Update | Upsert | Delete;
  /** The records that the write references, and that must exist. */
  readonly records: readonly ReferencedRecord[];
  /** Whether the write takes values from rows that earlier calls return. */
  readonly awaitsRows?: true;
}
