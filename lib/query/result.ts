import type { Aggregate, Count, Find, FindUnique, GroupBy } from './read.js';
import type { Query } from './query.js';
import { RELATED_COUNT, type Selection } from './selection.js';
import type { CountedWrite, Create, CreateMany, Delete, Update, UpdateMany, Upsert } from './write.js';

/** A row as a query has selected it: values of fields, related rows and counts, by Prisma's names. */
export type Row = Readonly<Record<string, unknown>>;

/** How many rows a write has changed. */
export interface Affected {
  readonly count: number;
}

interface Found {
  readonly first: Row | null;
  readonly many: readonly Row[];
}

/** What a query yields. */
export type ResultOf<Asked extends Query> = Asked extends Find
  ? Found[Asked['rows']]
  : Asked extends FindUnique
    ? Row | null
    : Asked extends Create | Update | Upsert | Delete
      ? Row
      : Asked extends CreateMany | UpdateMany
        ? Answered<Asked>
        : Asked extends Count
          ? Counted<Asked>
          : Asked extends GroupBy
            ? readonly Row[]
            : Asked extends Aggregate
              ? Row
              : Affected;

type Answered<Asked extends CreateMany | UpdateMany> = Asked extends { readonly selection: Selection }
  ? readonly Row[]
  : Asked extends CountedWrite
    ? Affected
    : readonly Row[] | Affected;

/** One number, or one for each of the fields that are counted. */
type Counted<Asked extends Count> = Asked extends { readonly counted?: never } ? number : number | Row;

/** Whether a result is a list of rows. */
export function isRows(result: ResultOf<Query>): result is readonly Row[] {
  return Array.isArray(result);
}

/** The rows of a result; one row is a list of one, and what holds no row is empty. */
export function rowsOf(result: ResultOf<Query>): readonly Row[] {
  if (isRows(result)) return result;
  return isRow(result) ? [result] : [];
}

function isRow(result: ResultOf<Query>): result is Row {
  return typeof result === 'object' && result !== null;
}

/** The row that a to-one relation leads to, in a row that selects it: null where there is none, undefined where nothing is said of it. */
export function relatedRow(row: Row, name: string): Row | null | undefined {
  return row[name] as Row | null | undefined;
}

/** The rows that a to-many relation leads to, in a row that selects them: the same array each time, empty where nothing is said of them. */
export function relatedRows(row: Row, name: string): readonly Row[] {
  return (row[name] as readonly Row[] | null | undefined) ?? NONE;
}

const NONE: readonly Row[] = [];

/** How many rows a relation leads to, in a row that counts them. */
export function relatedCount(row: Row, name: string): number | undefined {
  return (row[RELATED_COUNT] as Readonly<Record<string, number>> | undefined)?.[name];
}
