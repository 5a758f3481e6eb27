import type { StoredField } from '../model/storage/storage.js';
import type { Sent } from './decode-value.js';

/** A statement that reads, as a tree. Nothing in it is spelled: identifiers are as the schema has them, and values are numbered slots. */
export type Expression = Column | Slot | Constant | Call | Exists | ScalarSelect | CountOf | NewValue;

/** A column of a table in a `FROM`. */
export interface Column {
  readonly kind: 'column';
  readonly alias: string;
  readonly name: string;
}

/** A value that the statement is sent with. */
export interface Slot {
  readonly kind: 'slot';
  /** Which of the values of the query it is. */
  readonly index: number;
  /** The type that the database cannot infer. */
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

/** What a dialect can do with expressions. */
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

/** The number of rows that belong to a row. */
export interface CountOf {
  readonly kind: 'count-of';
  readonly counted: RelatedSelect;
}

/** A value of the row that the statement inserts first. */
export interface NewValue {
  readonly kind: 'new-value';
  /** Which of the values that the row returns for this. */
  readonly index: number;
}

/** A `SELECT` of the rows of a relation, and by which columns they belong to their owner. */
export interface RelatedSelect {
  readonly select: Select;
  readonly pairs: readonly Pair[];
}

/** A column of the related row, or of the join table, and the owner's column that has the same value. */
export interface Pair {
  readonly own: Column;
  readonly owner: Column;
}

export interface Table {
  readonly kind: 'table';
  readonly table: string;
  readonly schema?: string;
  readonly alias: string;
}

/** How many rows of a `SELECT` there are for each combination of its keys, which are called `k0`, `k1`, …; the number is `n`. */
export interface GroupedCount {
  readonly kind: 'grouped-count';
  readonly select: Select;
  readonly keys: readonly Column[];
  readonly alias: string;
}

export interface Join {
  readonly kind: 'left' | 'inner';
  readonly table: Table | GroupedCount;
  /** Joins of the table itself, for conditions in `on`. */
  readonly joins?: readonly Join[];
  readonly on: readonly Expression[];
}

export interface Sort {
  readonly expression: Expression;
  readonly isDescending: boolean;
  readonly nulls?: 'first' | 'last';
}

export interface Select {
  readonly from: Table;
  readonly joins: readonly Join[];
  readonly where: readonly Expression[];
  readonly order: readonly Sort[];
  /** A number and no slot: only then does the database settle on one plan. */
  readonly limit?: number;
  readonly offset?: Slot;
  /** Only the first row of each combination of these. */
  readonly distinct?: readonly Column[];
  /** The most rows that the first of each combination are looked for among: of more, there are none. */
  readonly most?: number;
}

/** Rows, and what is read of each. */
export interface Rows {
  readonly select: Select;
  readonly members: readonly Member[];
  /** Whether the database finds them in reverse order. */
  readonly isReversed: boolean;
  /** Present for rows that belong to other rows. */
  readonly pairs?: readonly Pair[];
  /** The most rows of all owners together. */
  readonly budget?: number;
}

/** What is read of a row, by the names and in the order of the result. */
export type Member = ValueMember | OneMember | SetMember | CountsMember;

export interface ValueMember {
  readonly kind: 'value';
  readonly field: StoredField;
  readonly column: Column;
  readonly sent: Sent;
}

/** The row that a to-one relation leads to. */
export interface OneMember extends RelatedSelect {
  readonly kind: 'one';
  readonly name: string;
  /** A column that is null if there is no such row. */
  readonly presence: Column;
  readonly members: readonly Member[];
  /** Whether several owners may have the same row. */
  readonly isShared: boolean;
}

/** Rows that are read apart from their owners: a list of each, or the one row that several have. */
export interface SetMember {
  readonly kind: 'many' | 'shared';
  readonly name: string;
  readonly rows: Rows;
}

/** Numbers of related rows. */
export interface CountsMember {
  readonly kind: 'counts';
  readonly counts: readonly Counted[];
}

export interface Counted {
  readonly name: string;
  readonly counted: RelatedSelect;
  /** Whether they are counted for all owners at once. */
  readonly isGrouped: boolean;
}

/** The number of rows, or of the values of each column that are not null. */
export interface RowCount {
  readonly select: Select;
  readonly columns: readonly (Column | undefined)[];
}

export const TRUE: Constant = { kind: 'constant', value: true };
export const FALSE: Constant = { kind: 'constant', value: false };

export function call(operation: Operation, ...operands: readonly Expression[]): Call {
  return { kind: 'call', operation, operands };
}

/** The conjunction of conditions, or their disjunction. */
export function joined(operation: 'and' | 'or', conditions: readonly Expression[]): Expression {
  const said = operation === 'and' ? conditions.filter((one) => one !== TRUE) : conditions;
  const [first, ...others] = said;
  if (first === undefined) return operation === 'and' ? TRUE : FALSE;
  return others.length === 0 ? first : call(operation, ...said);
}
