import type { StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { AggregateFunction, Condition } from './condition.js';
import { hasRowKey, rowKey } from './key.js';

/** One key of an order. */
export type OrderTerm = FieldTerm | CountTerm | RelevanceTerm | AggregateTerm;

/** A hop over a relation. */
export interface Hop {
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  /** The rows that the caller may read: any other counts as none. SQL alone can compile it. Absent: all rows. */
  readonly readable?: Condition;
}

interface Directed {
  readonly direction: 'asc' | 'desc';
  /** Where the request has a key that leads over relations, for errors. */
  readonly place?: OrderPlace;
}

/** A query parameter of REST, or a path into the argument of RPC. */
export type OrderPlace = { readonly parameter: string } | { readonly path: string };

/** By a field of the row, or of one that to-one relations lead to. */
export interface FieldTerm extends Directed {
  readonly kind: 'field-term';
  readonly path: readonly Hop[];
  readonly field: StoredField;
  readonly nulls?: 'first' | 'last';
}

/** By the number of related rows. */
export interface CountTerm extends Directed {
  readonly kind: 'count-term';
  readonly path: readonly Hop[];
  readonly counted: Hop;
}

/** By how well a full-text search finds the row. */
export interface RelevanceTerm extends Directed {
  readonly kind: 'relevance-term';
  readonly path: readonly Hop[];
  readonly fields: readonly StoredField[];
  readonly search: string;
}

/** Groups by what a function makes of them. */
export interface AggregateTerm extends Directed {
  readonly kind: 'aggregate-term';
  readonly aggregate: AggregateFunction;
  readonly field: StoredField;
}

export type Order = readonly OrderTerm[];

/** An order without the keys that are there before: such a key, in whichever direction, orders nothing and would be worked out again all the same. */
export function withoutRepeats<Term extends OrderTerm>(order: readonly Term[]): readonly Term[] {
  const seen = new Set<string>();
  return order.filter((term) => {
    const name = serializeTerm(term);
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}

/** The same for two terms exactly if they order by the same values. */
function serializeTerm(term: OrderTerm): string {
  switch (term.kind) {
    case 'field-term':
      return formatPath(term.path, term.field.name);
    case 'count-term':
      return formatPath([...term.path, term.counted], '_count');
    case 'aggregate-term':
      return `${term.aggregate}(${term.field.name})`;
    case 'relevance-term':
      return JSON.stringify([formatPath(term.path), term.fields.map(({ name }) => name), term.search]);
  }
}

function formatPath(path: readonly Hop[], ...last: readonly string[]): string {
  return [...path.map(({ relation }) => relation.name), ...last].join('.');
}

/**
 * Whether an order contains all fields of the key of a row: then it is total. Any other unique key may have a partial index in the database, whose
 * values repeat among the rows outside the index.
 */
export function hasRowKeyFields(order: Order, model: StoredModel): boolean {
  const own = new Set(order.flatMap((term) => (term.kind === 'field-term' && term.path.length === 0 ? term.field.name : [])));
  return hasRowKey(model) && rowKey(model).fields.every((name) => own.has(name));
}

/**
 * Whether an order says of any two rows which comes first. Only there Prisma has the database read as many rows from a cursor on as the page has;
 * else it reads all the rest, and takes the page of it in memory.
 */
export function isTotal(order: Order, { primaryKey, uniqueKeys }: StoredModel): boolean {
  const keys = [primaryKey, ...uniqueKeys].filter((key) => key !== undefined);
  if (order.length === 0) return keys[0]?.fields.length === 1;
  const own = new Set(order.flatMap((term) => (term.kind === 'field-term' && term.path.length === 0 ? term.field.name : [])));
  // Prisma does not take a primary key of several fields for a key of an order.
  const usable = keys.filter((key) => key !== primaryKey || key.fields.length === 1);
  return !order.some(mayBeNull) && usable.some(({ fields }) => fields.every((name) => own.has(name)));
}

function mayBeNull(term: OrderTerm): boolean {
  return term.kind === 'field-term' && (term.field.optional || term.path.some(({ relation }) => relation.optional));
}
