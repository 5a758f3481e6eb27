import type { Condition } from '../query/condition.js';
import type { Row } from '../query/result.js';

/** A row that was found, and the condition that it must still meet when it is written. */
export interface FoundRow {
  readonly row: Row;
  readonly more: Condition;
}

export interface ColumnsOptions extends Partial<Pick<FoundRow, 'more'>> {
  /** Whether hooks are notified. @default where any field is written */
  readonly isObserved?: boolean;
  /** Whether the version of the row is incremented. @default where any field is written */
  readonly incrementsVersion?: boolean;
}
