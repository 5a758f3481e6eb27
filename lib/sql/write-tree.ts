import type { Column, Expression, NewValue, TableSource } from './tree.js';

/** A write of rows of one table. If a guard is false for one of the written rows, nothing is written. */
export interface WriteRows {
  /** The command; `SELECT` if the statement writes only to other tables. */
  readonly command: 'INSERT' | 'UPDATE' | 'DELETE' | 'SELECT';
  readonly table: TableSource;
  readonly columns: readonly string[];
  /** The values of the columns: of each inserted row, or of all updated rows. Undefined means the default of the column. */
  readonly values: readonly (readonly (Expression | undefined)[])[];
  /** The update of the row that already has the key. */
  readonly conflict?: Conflict;
  /** A condition that is evaluated before the write, and returned beside the row. */
  readonly found?: Expression;
  /** Whether rows with an existing key are skipped. */
  readonly skipsDuplicates?: boolean;
  readonly where: readonly Expression[];
  readonly guards: readonly Guard[];
  readonly nested?: NestedWrites;
  /**
   * The number of rows that the write must affect; absent for any number. Otherwise the statement fails, and its effects are undone, including those
   * of triggers and rules.
   */
  readonly required?: 'one' | 'some';
  /** The limits of the returned rows; absent for a write of one row. */
  readonly total?: Total;
}

export interface Conflict {
  /** The columns of the key. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly values: readonly (Expression | undefined)[];
  /** The conditions that the existing row must meet. */
  readonly where: readonly Expression[];
}

/** The writes to other tables that belong to a row. */
export interface NestedWrites {
  /** The columns of the row that these writes use. */
  readonly returned: readonly Column[];
  readonly writes: readonly NestedWrite[];
}

/**
 * A write to another table.
 *
 * `insert`: inserts rows that reference the row · `link`: inserts pairs into a join table, one for each selected row · `cut`: deletes such pairs ·
 * `update`: updates the selected rows
 */
export type NestedWrite =
  | ({ readonly kind: 'insert' } & Pick<WriteRows, 'table' | 'columns' | 'values'>)
  | (JoinedRows & { readonly kind: 'link' | 'cut' })
  | NestedUpdate;

export interface NestedUpdate extends MetRows, Pick<Conflict, 'columns' | 'values'> {
  readonly kind: 'update';
  readonly table: TableSource;
  /** The columns by which rows reference the row. */
  readonly held: readonly Held[];
  /** Which of the selected rows are updated: those that already reference the row, those that do not, or all. */
  readonly of: 'held' | 'others' | 'all';
}

/** The pairs of one row in a join table. */
export interface JoinedRows extends MetRows {
  readonly table: TableSource;
  readonly own: Held;
  /** The column of the join table that references the other row, and the key of that row. */
  readonly other: readonly [column: string, key: Column];
  readonly from: TableSource;
}

/** A column that references a value of the row. */
export interface Held {
  readonly column: string;
  readonly value: NewValue;
}

/** The rows that meet a condition, or all others. */
interface MetRows {
  readonly met: Expression;
  readonly isOther: boolean;
  /** The number of rows that must meet the condition. */
  readonly wanted?: number;
}

/** The limits of all returned rows together. */
export interface Total {
  /** The maximum number of rows; undefined without a limit. */
  readonly rows: number | undefined;
  /** The maximum number of bytes; undefined without a limit. */
  readonly bytes: number | undefined;
  /** The bytes that each row takes in addition to its values. */
  readonly bytesPerRow: number;
}

/**
 * A condition that must be true of each written row.
 *
 * `met`: an expression is true · `ordinary`: the table has no triggers, rules or child tables, and is no view · `short`: the columns have at most so
 * many bytes together · `dated`: the date exists in JavaScript · `plain`: the Json has no key `__proto__` · `filled`: the list contains no null ·
 * `known`: the schema has the enum values
 */
export type Guard =
  | { readonly kind: 'met'; readonly condition: Expression }
  | { readonly kind: 'ordinary'; readonly table: TableSource }
  | { readonly kind: 'short'; readonly columns: readonly Column[]; readonly maxBytes: number }
  | { readonly kind: 'dated' | 'plain'; readonly column: Column }
  | { readonly kind: 'filled'; readonly column: Column; readonly isJson: boolean }
  | { readonly kind: 'known'; readonly column: Column; readonly values: readonly string[]; readonly isList: boolean };
