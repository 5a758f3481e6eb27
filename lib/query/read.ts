import type { StoredField, StoredModel } from '../model/storage/storage.js';
import { type AggregateFunction, ALWAYS, type Condition, type UniqueCondition } from './condition.js';
import type { Order } from './order.js';
import { type LoadStrategy, type Page, type Selection, WHOLE } from './selection.js';

/** A query that changes nothing. */
export type Read = FindUnique | Find | Count | Aggregate | GroupBy;

/** One row by a key of it. */
export interface FindUnique {
  readonly kind: 'find-unique';
  readonly model: StoredModel;
  readonly where: UniqueCondition;
  readonly selection: Selection;
  /** Whether it is an error that there is none (`findUniqueOrThrow`). */
  readonly isRequired: boolean;
  readonly loadStrategy?: LoadStrategy;
}

/** The rows, or the first row, that meet a condition. */
export interface Find {
  readonly kind: 'find';
  readonly model: StoredModel;
  readonly rows: 'first' | 'many';
  readonly where: Condition;
  readonly order: Order;
  readonly page: Page;
  readonly selection: Selection;
  /** Whether it is an error that there is none (`findFirstOrThrow`). */
  readonly isRequired: boolean;
  readonly loadStrategy?: LoadStrategy;
}

/** How many rows of a page there are, or how many values of each field. */
export interface Count {
  readonly kind: 'count';
  readonly model: StoredModel;
  readonly where: Condition;
  readonly order: Order;
  readonly page: Page;
  /** Absent where the result is one number, of the rows. */
  readonly counted?: readonly CountedValues[];
}

/** What a count by fields counts: the values of a field that are not null, or all rows (`_all`). */
export type CountedValues = StoredField | '_all';

export interface Aggregate {
  readonly kind: 'aggregate';
  readonly model: StoredModel;
  readonly where: Condition;
  readonly order: Order;
  readonly page: Page;
  readonly aggregates: readonly AggregateMember[];
}

/** One aggregate function, and the fields that it is taken of. */
export interface AggregateMember {
  readonly aggregate: AggregateFunction;
  /** `rows` is Prisma's `_count: true`: one number. */
  readonly of: readonly CountedValues[] | 'rows';
}

export interface GroupBy {
  readonly kind: 'group-by';
  readonly model: StoredModel;
  readonly by: readonly StoredField[];
  readonly where: Condition;
  readonly having: Condition;
  readonly order: Order;
  readonly page: Page;
  readonly aggregates: readonly AggregateMember[];
}

/** A read of several rows. */
export interface FindMany extends Find {
  readonly rows: 'many';
}

/** A read of rows of a model: all of them, unless it says which. */
export function findMany(asked: Pick<Find, 'model' | 'selection'> & Partial<Pick<Find, 'where' | 'order' | 'page'>>): FindMany {
  return Object.freeze({ kind: 'find', rows: 'many', where: ALWAYS, order: [], page: WHOLE, isRequired: false, ...asked });
}

/** A count of rows, as one number. */
export interface CountRows extends Count {
  readonly counted?: never;
}

/** How many rows of a model meet a condition: of the first so many, if it says so. */
export function countRows(asked: Pick<Count, 'model' | 'where'> & Partial<Pick<Count, 'order' | 'page'>>): CountRows {
  return Object.freeze({ kind: 'count', order: [], page: WHOLE, ...asked });
}

/** A read of rows. */
export type RowsRead = Find | FindUnique;
