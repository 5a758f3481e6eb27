import type { Aggregate, Count, Find, FindUnique, GroupBy } from './read.js';
import type { Query } from './query.js';
import type { Selection } from './selection.js';
import type { Create, CreateMany, Delete, Update, UpdateMany, Upsert } from './write.js';

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
