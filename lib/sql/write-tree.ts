import type { Column, Expression, NewValue, Table } from './tree.js';

/** A write of rows of one table. Nothing is written unless all of the guards are true of each row, as it is then. */
export interface WriteRows {
  /** `SELECT` where it is other tables alone that are written. */
  readonly command: 'INSERT' | 'UPDATE' | 'DELETE' | 'SELECT';
  readonly table: Table;
  readonly columns: readonly string[];
  /** What is written into the columns: of each row that is inserted, or of all that are updated. Undefined leaves a column to its default. */
  readonly values: readonly (readonly (Expression | undefined)[])[];
  /** What is written instead into the row that has the key already. */
  readonly conflict?: Conflict;
  /** Answered beside the row, as it was before the write. */
  readonly found?: Expression;
  /** Whether rows whose keys are taken are left out. */
  readonly skipsDuplicates?: boolean;
  readonly where: readonly Expression[];
  readonly guards: readonly Guard[];
  readonly nested?: NestedWrites;
  /** How many rows it must write, or else nothing is done, by triggers and rules neither. Absent where any number will do. */
  readonly required?: 'one' | 'some';
  /** Present where it answers any number of rows. */
  readonly total?: Total;
}

export interface Conflict {
  /** The columns of the key. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly values: readonly (Expression | undefined)[];
  /** What the row must meet that is there. */
  readonly where: readonly Expression[];
}

/** What is written into other tables with a row. */
export interface NestedWrites {
  /** What the row returns for them. */
  readonly returned: readonly Column[];
  readonly writes: readonly NestedWrite[];
}

/**
 * `insert`: rows that hold the key of the row · `link`: pairs of a join table, one for each row of another that is met · `cut`: such pairs are deleted ·
 * `update`: rows that are met get these values.
 */
export type NestedWrite =
  | ({ readonly kind: 'insert' } & Pick<WriteRows, 'table' | 'columns' | 'values'>)
  | (JoinedRows & { readonly kind: 'link' | 'cut' })
  | NestedUpdate;

export interface NestedUpdate extends MetRows, Pick<Conflict, 'columns' | 'values'> {
  readonly kind: 'update';
  readonly table: Table;
  /** By which columns rows hold the key of the row. */
  readonly held: readonly Held[];
  /** Of the rows that are met, those that hold the key until then, those that do not, or all. */
  readonly of: 'held' | 'others' | 'all';
}

/** The pairs of one row in a join table. */
export interface JoinedRows extends MetRows {
  readonly table: Table;
  readonly own: Held;
  /** The column of the other row, and its key. */
  readonly other: readonly [column: string, key: Column];
  readonly from: Table;
}

/** A column that has a value of the row. */
export interface Held {
  readonly column: string;
  readonly value: NewValue;
}

/** Rows that meet a condition, or all others. */
interface MetRows {
  readonly met: Expression;
  readonly isOther: boolean;
  /** How many rows must meet it. */
  readonly wanted?: number;
}

/** What the rows of an answer may be together. */
export interface Total {
  /** Undefined without a limit. */
  readonly rows: number | undefined;
  /** Undefined without a limit. */
  readonly bytes: number | undefined;
  /** The bytes that each row takes in addition to its values. */
  readonly bytesPerRow: number;
}

/** `met`: a condition · `ordinary`: no trigger, rule, view or partition has a say in the table · `short`: columns with so many bytes in all, at most · `dated`: a date that JavaScript has · `plain`: no key `__proto__` · `filled`: a list without a null · `known`: values of an enum that the schema has */
export type Guard =
  | { readonly kind: 'met'; readonly condition: Expression }
  | { readonly kind: 'ordinary'; readonly table: Table }
  | { readonly kind: 'short'; readonly columns: readonly Column[]; readonly most: number }
  | { readonly kind: 'dated' | 'plain' | 'filled'; readonly column: Column }
  | { readonly kind: 'known'; readonly column: Column; readonly values: readonly string[]; readonly isList: boolean };
