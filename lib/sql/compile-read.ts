import type { Count, Find, FindUnique, Read } from '../query/read.js';
import type { Page } from '../query/selection.js';
import { decline } from './declined.js';
import { type Paged, pageOf } from './order.js';
import { Scope, type Statement } from './scope.js';
import { membersOf } from './selection.js';
import { type Column, type Expression, type RowCount, type Rows, type Select, TRUE } from './tree.js';
import { compileUnique, where } from './where.js';

/** A compiled read, as the tree of a statement: rows, or their number. */
export type Compiled = { readonly kind: 'rows'; readonly rows: Rows } | { readonly kind: 'count'; readonly count: RowCount };

/**
 * Compiles a read to the tree of a statement. Rewriting the tree and printing it are the next two steps.
 *
 * @param maxRows the maximum number of rows, of each list, and of the rows that `distinct` reads
 * @throws Declined for a read that SQL does not support; the next two steps decline nothing
 */
export function compileRead(statement: Statement, read: Read, maxRows: number | undefined): Compiled {
  switch (read.kind) {
    case 'find-unique':
      return { kind: 'rows', rows: findUnique(statement, read, maxRows) };
    case 'find':
      return { kind: 'rows', rows: find(statement, read, maxRows) };
    case 'count':
      return { kind: 'count', count: count(statement, read) };
    case 'aggregate':
    case 'group-by':
      return decline(`the operation ${read.kind}`);
  }
}

function findUnique(
  statement: Statement,
  { model, where: condition, selection, loadStrategy }: FindUnique,
  maxRows: number | undefined,
): Rows {
  if (loadStrategy !== undefined) return decline('the argument relationLoadStrategy');
  const scope = new Scope(statement, model);
  const conditions = compileUnique(scope, condition);
  const members = membersOf(scope, selection, maxRows);
  return { select: { from: scope.table, joins: scope.joins, where: said(conditions), order: [], limit: 1 }, members, isReversed: false };
}

function find(statement: Statement, read: Find, maxRows: number | undefined): Rows {
  const { model, rows, order, page, selection, loadStrategy } = read;
  if (loadStrategy !== undefined) return decline('the argument relationLoadStrategy');
  const scope = new Scope(statement, model);
  const condition = where(scope, read.where);
  if (rows === 'first') requireOne(page);
  const paged = { ...pageOf(scope, order, page), ...(rows === 'first' && { limit: 1 }) };
  // Without an order, the database may return any row of each combination.
  if (page.distinct && order.length === 0) return decline('distinct without an order');
  const distinct = page.distinct?.map(({ name }) => distinctColumn(scope, name));
  const members = membersOf(scope, selection, maxRows);
  const select = { ...selectOf(scope, [condition], paged), ...(distinct && { distinct }) };
  const isBounded = distinct && maxRows !== undefined;
  return { select: isBounded ? { ...select, maxDistinctRows: maxRows } : select, members, isReversed: paged.isReversed };
}

function selectOf(scope: Scope, conditions: readonly Expression[], { fromCursor, order, limit, offset }: Paged): Select {
  return {
    from: scope.table,
    joins: scope.joins,
    where: said([...conditions, ...fromCursor]),
    order,
    ...(limit !== undefined && { limit }),
    ...(offset && { offset }),
  };
}

/** Returns the conditions without those that are always true. */
export function said(conditions: readonly Expression[]): readonly Expression[] {
  return conditions.filter((condition) => condition !== TRUE);
}

/** Rejects a `take` of a query for one row, unless it is 1, or -1 for the last row. */
function requireOne({ take = 1 }: Page): void {
  if (take !== 1 && take !== -1) decline('take in findFirst');
}

/** Types whose values are equal in the database exactly if Prisma, which applies `distinct` in memory, treats them as equal. */
const EXACT_EQUALITY: ReadonlySet<string> = new Set(['String', 'Boolean', 'Int', 'BigInt', 'Enum', 'DateTime']);

function distinctColumn(scope: Scope, name: string): Column {
  const { list, type, nativeType } = scope.field(name);
  if (list || !EXACT_EQUALITY.has(type) || nativeType?.[0] === 'Citext' || nativeType?.[0] === 'Timetz')
    return decline(`distinct values of ${name}`);
  return scope.column(name);
}

function count(statement: Statement, { model, where: condition, order, page, counted }: Count): RowCount {
  if (page.distinct !== undefined) return decline('the argument distinct');
  // Prisma counts from a cursor only in orders that it can page in, and rejects all others.
  if (page.cursor !== undefined) return decline('a count from a cursor');
  const scope = new Scope(statement, model);
  const conditions = [where(scope, condition)];
  const select = selectOf(scope, conditions, { ...pageOf(scope, order, page), order: [] });
  return { select, columns: counted?.map((one) => (one === '_all' ? undefined : scope.column(one.name))) ?? [undefined] };
}
