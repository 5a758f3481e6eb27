import type { StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { AggregateFunction, Condition } from './condition.js';
import { hasRowKey, rowKey } from './key.js';

/** One key of an order. */
export type OrderTerm = FieldTerm | CountTerm | RelevanceTerm | AggregateTerm;

/** One step of a path over relations. */
export interface Hop {
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  /**
   * The rule for the rows that the caller may read. Other rows count as missing. Absent: every row is readable. Only the SQL compiler supports it.
   */
  readonly readable?: Condition;
}

interface Directed {
  readonly direction: 'asc' | 'desc';
  /** The place of the key in the request, for errors. Set for keys that follow relations. */
  readonly place?: OrderPlace;
}

/** A query parameter of REST, or a path into the argument of RPC. */
export type OrderPlace = { readonly parameter: string } | { readonly path: string };

/** An order by a field of the row, or of a related row over to-one relations. */
export interface FieldTerm extends Directed {
  readonly kind: 'field-term';
  readonly path: readonly Hop[];
  readonly field: StoredField;
  readonly nulls?: 'first' | 'last';
}

/** An order by the number of related rows. */
export interface CountTerm extends Directed {
  readonly kind: 'count-term';
  readonly path: readonly Hop[];
  readonly counted: Hop;
}

/** An order by the relevance of a row to a full-text search (Prisma's `_relevance`). */
export interface RelevanceTerm extends Directed {
  readonly kind: 'relevance-term';
  readonly path: readonly Hop[];
  readonly fields: readonly StoredField[];
  readonly search: string;
}

/** An order of groups by an aggregate. */
export interface AggregateTerm extends Directed {
  readonly kind: 'aggregate-term';
  readonly aggregate: AggregateFunction;
  readonly field: StoredField;
}

export type Order = readonly OrderTerm[];

/**
 * Removes the keys of an order that repeat an earlier key, in either direction. A repeated key does not change the order, but the database would
 * evaluate it again.
 */
export function withoutRepeats<Term extends OrderTerm>(order: readonly Term[]): readonly Term[] {
  const seen = new Set<string>();
  return order.filter((term) => {
    const name = serializeTerm(term);
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}

/** Serializes what a term orders by, without its direction. Two terms have the same text if and only if they order by the same values. */
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
 * Whether an order contains all fields of the {@link rowKey}, which makes it total. Another unique key is not enough, because its index may be
 * partial. Values may then repeat among the rows outside of the index.
 */
export function hasRowKeyFields(order: Order, model: StoredModel): boolean {
  const own = new Set(order.flatMap((term) => (term.kind === 'field-term' && term.path.length === 0 ? term.field.name : [])));
  return hasRowKey(model) && rowKey(model).fields.every((name) => own.has(name));
}

/**
 * Whether Prisma treats an order as total: it contains a primary or unique key, and no key that may be null. Only then does Prisma limit a page from
 * a cursor in the database. Otherwise it reads all rows after the cursor, and takes the page in memory.
 */
export function isTotal(order: Order, { primaryKey, uniqueKeys }: StoredModel): boolean {
  const keys = [primaryKey, ...uniqueKeys].filter((key) => key !== undefined);
  if (order.length === 0) return keys[0]?.fields.length === 1;
  const own = new Set(order.flatMap((term) => (term.kind === 'field-term' && term.path.length === 0 ? term.field.name : [])));
  // Prisma does not recognize a composite primary key in an order.
  const usable = keys.filter((key) => key !== primaryKey || key.fields.length === 1);
  return !order.some(mayBeNull) && usable.some(({ fields }) => fields.every((name) => own.has(name)));
}

function mayBeNull(term: OrderTerm): boolean {
  return term.kind === 'field-term' && (term.field.optional || term.path.some(({ relation }) => relation.optional));
}
