import type { StoredField, StoredModel } from '../model/storage/storage.js';
import { selectFields, withFields } from './fields.js';
import { type AggregateFunction, ALWAYS, type Condition, type UniqueCondition } from './condition.js';
import type { Order } from './order.js';
import { type LoadStrategy, type Page, type Selection, WHOLE } from './selection.js';

/** A query that changes nothing. */
export type Read = FindUnique | Find | Count | Aggregate | GroupBy;

/** A read of one row by its key. */
export interface FindUnique {
  readonly kind: 'find-unique';
  readonly model: StoredModel;
  readonly where: UniqueCondition;
  readonly selection: Selection;
  /** Whether a missing row is an error (`findUniqueOrThrow`). */
  readonly isRequired: boolean;
  readonly loadStrategy?: LoadStrategy;
}

/** A read of the rows that meet a condition, or of the first of them. */
export interface Find {
  readonly kind: 'find';
  readonly model: StoredModel;
  readonly rows: 'first' | 'many';
  readonly where: Condition;
  readonly order: Order;
  readonly page: Page;
  readonly selection: Selection;
  /** Whether a missing row is an error (`findFirstOrThrow`). */
  readonly isRequired: boolean;
  readonly loadStrategy?: LoadStrategy;
}

/** A count of the rows of a page, or of the values of each counted field. */
export interface Count {
  readonly kind: 'count';
  readonly model: StoredModel;
  readonly where: Condition;
  readonly order: Order;
  readonly page: Page;
  /** Absent if the result is one number: the count of rows. */
  readonly counted?: readonly CountedValues[];
}

/** What is counted: the values of a field that are not null, or all rows (`_all`). */
export type CountedValues = StoredField | '_all';

export interface Aggregate {
  readonly kind: 'aggregate';
  readonly model: StoredModel;
  readonly where: Condition;
  readonly order: Order;
  readonly page: Page;
  readonly aggregates: readonly AggregateMember[];
}

/** One aggregate function and the fields that it is applied to. */
export interface AggregateMember {
  readonly aggregate: AggregateFunction;
  /** The counted values, or the fields of the function. `rows` is Prisma's `_count: true`, whose result is one number. */
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

/**
 * Returns a read of the row that the keys of a condition identify, whatever else the condition requires.
 *
 * @param names fields that are read beside those of the first key
 */
export function findRow({ keys }: UniqueCondition, names: readonly string[] = []): FindUnique {
  const [{ model, key }] = keys;
  const selection = withFields(selectFields(model, key.fields), names);
  const where = Object.freeze<UniqueCondition>({ keys, more: ALWAYS });
  return Object.freeze({ kind: 'find-unique', model, where, selection, isRequired: false });
}

/** A read of several rows. */
export interface FindMany extends Find {
  readonly rows: 'many';
}

/** Returns a read of several rows of a model: of all rows, unless `where` or `page` restricts them. */
export function findMany(parts: Pick<Find, 'model' | 'selection'> & Partial<Pick<Find, 'where' | 'order' | 'page'>>): FindMany {
  return Object.freeze({ kind: 'find', rows: 'many', where: ALWAYS, order: [], page: WHOLE, isRequired: false, ...parts });
}

/** A count of rows, as one number. */
export interface CountRows extends Count {
  readonly counted?: never;
}

/** Returns a count of the rows that meet a condition; with `page`, of the rows of that page. */
export function countRows(parts: Pick<Count, 'model' | 'where'> & Partial<Pick<Count, 'order' | 'page'>>): CountRows {
  return Object.freeze({ kind: 'count', order: [], page: WHOLE, ...parts });
}

/** A read that returns rows of a model, as opposed to counts and aggregates. */
export type RowsRead = Find | FindUnique;
