import type { Aggregate, Count, Find, FindUnique, GroupBy } from './read.js';
import type { Query } from './query.js';
import { RELATED_COUNT, type Selection } from './selection.js';
import type { CountedWrite, Create, CreateMany, Delete, Update, UpdateMany, Upsert } from './write.js';

/** A row of a result: selected field values, related rows and counts, by Prisma's names. */
export type Row = Readonly<Record<string, unknown>>;

/** The number of rows that a write has changed. */
export interface Affected {
  readonly count: number;
}

interface Found {
  readonly first: Row | null;
  readonly many: readonly Row[];
}

/** The type of the result of a query. */
export type ResultOf<Q extends Query> = Q extends Find
  ? Found[Q['rows']]
  : Q extends FindUnique
    ? Row | null
    : Q extends Create | Update | Upsert | Delete
      ? Row
      : Q extends CreateMany | UpdateMany
        ? Answered<Q>
        : Q extends Count
          ? Counted<Q>
          : Q extends GroupBy
            ? readonly Row[]
            : Q extends Aggregate
              ? Row
              : Affected;

type Answered<Q extends CreateMany | UpdateMany> = Q extends { readonly selection: Selection }
  ? readonly Row[]
  : Q extends CountedWrite
    ? Affected
    : readonly Row[] | Affected;

/** One number, or a row with one number for each counted field. */
type Counted<Q extends Count> = Q extends { readonly counted?: never } ? number : number | Row;

/** Whether a result, or what a row has of a relation, is a list of rows. */
export function isRows(result: unknown): result is readonly Row[] {
  return Array.isArray(result);
}

/** Returns the rows of a result as a list. A single object gives a list of one; null and numbers give an empty list. */
export function rowsOf(result: unknown): readonly Row[] {
  if (isRows(result)) return result;
  return isRow(result) ? [result] : [];
}

/** Whether a result, or what a row has of a relation, is a single row. It is also true of a list: check {@link isRows} first. */
export function isRow(result: unknown): result is Row {
  return typeof result === 'object' && result !== null;
}

/** Returns the related row of a to-one relation: null if there is none, undefined if the relation is not selected. */
export function relatedRow(row: Row, name: string): Row | null | undefined {
  return row[name] as Row | null | undefined;
}

/** Returns the related rows of a to-many relation: the same array on each call, and an empty one if the relation is not selected. */
export function relatedRows(row: Row, name: string): readonly Row[] {
  return (row[name] as readonly Row[] | null | undefined) ?? NONE;
}

const NONE: readonly Row[] = [];

/** Returns the number of related rows of a relation; undefined if the row has no count of it. */
export function relatedCount(row: Row, name: string): number | undefined {
  return (row[RELATED_COUNT] as Readonly<Record<string, number>> | undefined)?.[name];
}
