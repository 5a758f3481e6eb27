import type { StoredField } from '../model/storage/storage.js';
import type { Sent } from './decode-value.js';

/**
 * An expression of a statement, which a dialect prints. Identifiers are those of the schema, and values are numbered slots.
 */
export type Expression = Column | Slot | Constant | Call | Exists | ScalarSelect | CountOf | NewValue;

/** A column of a table in a `FROM`. */
export interface Column {
  readonly kind: 'column';
  readonly alias: string;
  readonly name: string;
}

/** A value that is bound when the statement is sent. */
export interface Slot {
  readonly kind: 'slot';
  /** The index of the value among the values of the query. */
  readonly index: number;
  /** The type of the placeholder, if the database cannot infer it. */
  readonly type?: SlotType;
}

export type SlotType = 'texts' | 'json' | 'bytes' | 'bytes-list' | EnumType;

export interface EnumType {
  readonly name: string;
  readonly schema?: string;
  readonly isList: boolean;
}

export interface Constant {
  readonly kind: 'constant';
  readonly value: boolean;
}

/** The operations of expressions, which each dialect prints. */
export type Operation =
  | 'and'
  | 'or'
  | 'not'
  | 'is-null'
  | 'is-not-null'
  | '='
  | 'spelled'
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'lower'
  | 'in'
  | 'in-insensitive'
  | 'like'
  | 'ilike'
  | `${'contains' | 'startsWith' | 'endsWith'}-pattern`
  | 'search'
  | 'contains'
  | 'overlaps'
  | 'is-empty'
  | 'json-text'
  | 'json-at'
  | 'json-text-at'
  | 'json'
  | 'json-is-null'
  | 'json-first'
  | 'json-last'
  | `json-is-${'string' | 'number' | 'array'}`
  | 'or-zero'
  | '+'
  | '-'
  | 'null';

export interface Call {
  readonly kind: 'call';
  readonly operation: Operation;
  readonly operands: readonly Expression[];
}

export interface Exists {
  readonly kind: 'exists';
  readonly select: Select;
}

/** The only value of the only row of a `SELECT`. */
export interface ScalarSelect {
  readonly kind: 'scalar-select';
  readonly select: Select;
  readonly column: Column;
}

/** The number of related rows of a row. */
export interface CountOf {
  readonly kind: 'count-of';
  readonly counted: RelatedSelect;
}

/** A value of the row that the statement inserts first. */
export interface NewValue {
  readonly kind: 'new-value';
  /** The index of the value among the returned values of the inserted row. */
  readonly index: number;
}

/** A `SELECT` of the rows of a relation, and the columns that join them to their owner. */
export interface RelatedSelect {
  readonly select: Select;
  readonly pairs: readonly Pair[];
}

/** A column of the related row, or of the join table, and the owner's column with the same value. */
export interface Pair {
  readonly own: Column;
  readonly owner: Column;
}

export interface TableSource {
  readonly kind: 'table';
  readonly table: string;
  readonly schema?: string;
  readonly alias: string;
}

/** The number of rows of a `SELECT` for each combination of its keys. The columns of the keys are named `k0`, `k1`, …, and the number is `n`. */
export interface GroupedCount {
  readonly kind: 'grouped-count';
  readonly select: Select;
  readonly keys: readonly Column[];
  readonly alias: string;
}

export interface Join {
  readonly kind: 'left' | 'inner';
  readonly table: TableSource | GroupedCount;
  /** Joins of the joined table itself, for conditions in `on`. */
  readonly joins?: readonly Join[];
  readonly on: readonly Expression[];
}

export interface Sort {
  readonly expression: Expression;
  readonly isDescending: boolean;
  readonly nulls?: 'first' | 'last';
}

export interface Select {
  readonly from: TableSource;
  readonly joins: readonly Join[];
  readonly where: readonly Expression[];
  readonly order: readonly Sort[];
  /** A number instead of a slot, because PostgreSQL may plan a prepared statement anew each time if its limit is a parameter. */
  readonly limit?: number;
  readonly offset?: Slot;
  /** The columns of which only the first row of each combination is selected. */
  readonly distinct?: readonly Column[];
  /** The maximum number of rows that `distinct` may read. If there are more, no rows are selected. */
  readonly maxDistinctRows?: number;
}

/** Rows, and the members that are read of each. */
export interface Rows {
  readonly select: Select;
  readonly members: readonly Member[];
  /** Whether the database returns the rows in reverse order. */
  readonly isReversed: boolean;
  /** The columns that join the rows to their owners; absent for the rows of the query itself. */
  readonly pairs?: readonly Pair[];
  /** The maximum number of rows of all owners together. */
  readonly maxRows?: number;
}

/** A member of a row. Members have the names and the order of the result. */
export type Member = ValueMember | OneMember | SetMember | CountsMember;

export interface ValueMember {
  readonly kind: 'value';
  readonly field: StoredField;
  readonly column: Column;
  readonly sent: Sent;
}

/** The row of a to-one relation. */
export interface OneMember extends RelatedSelect {
  readonly kind: 'one';
  readonly name: string;
  /** A column that is null if the row does not exist. */
  readonly presence: Column;
  readonly members: readonly Member[];
  /** Whether several owners may have the same row. */
  readonly isSharedByOwners: boolean;
}

/** Rows that are read separately from their owners: the list of each owner, or a row that several owners share. */
export interface SetMember {
  readonly kind: 'many' | 'shared';
  readonly name: string;
  readonly rows: Rows;
}

/** Counts of related rows. */
export interface CountsMember {
  readonly kind: 'counts';
  readonly counts: readonly Counted[];
}

export interface Counted {
  readonly name: string;
  readonly counted: RelatedSelect;
  /** Whether one query counts the rows of all owners. */
  readonly isGrouped: boolean;
}

/** The number of rows, or of the non-null values of each column. */
export interface RowCount {
  readonly select: Select;
  readonly columns: readonly (Column | undefined)[];
}

export const TRUE: Constant = { kind: 'constant', value: true };
export const FALSE: Constant = { kind: 'constant', value: false };

export function call(operation: Operation, ...operands: readonly Expression[]): Call {
  return { kind: 'call', operation, operands };
}

/** Returns the conjunction or the disjunction of conditions. */
export function joined(operation: 'and' | 'or', conditions: readonly Expression[]): Expression {
  const said = operation === 'and' ? conditions.filter((one) => one !== TRUE) : conditions;
  const [first, ...others] = said;
  if (first === undefined) return operation === 'and' ? TRUE : FALSE;
  return others.length === 0 ? first : call(operation, ...said);
}
