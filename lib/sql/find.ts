import type { Storage, StoredModel } from '../model/storage/storage.js';
import { TRUE } from './condition.js';
import { decline } from './declined.js';
import type { Members } from './object-of.js';
import { type Page, pageOf } from './order.js';
import { fromMany, Scope } from './scope.js';
import { type Columns, type List, type Member, selectOwn, selectShared } from './selection.js';
import type { Statement } from './statement.js';
import { uniqueWhere, where } from './where.js';

/** One read of rows, while its statement is being built. */
export interface Reading {
  readonly statement: Statement;
  readonly storage: Storage;
  /** The `WITH` queries of the statement. */
  readonly queries: string[];
  /** What the statement selects: each is a JSON text, or null for no rows. */
  readonly cells: string[];
  /** The maximum number of rows of each list. One more is selected, to detect that there are too many. */
  readonly budget?: number;
}

/** A cell of the statement with rows, and the lists that belong to these rows. */
export interface RowSet {
  readonly cell: number;
  readonly members: readonly Member[];
  readonly isReversed: boolean;
  readonly lists: readonly ListSet[];
}

/** The rows of a list. The last value of each row is the number of its owner, from 1. */
export interface ListSet extends RowSet {
  readonly list: List;
}

const SINGLE: ReadonlySet<string> = new Set(['findUnique', 'findUniqueOrThrow']);
const FIRST: ReadonlySet<string> = new Set(['findFirst', 'findFirstOrThrow']);

/** Builds the SQL for a Prisma call that finds rows. */
export function compileFind(reading: Reading, model: StoredModel, call: { readonly operation: string; readonly args: Members }): RowSet {
  const { operation, args } = call;
  requireKnown(args, ARGUMENTS);
  const scope = new Scope({ statement: reading.statement, storage: reading.storage, joins: [] }, model);
  const isSingle = SINGLE.has(operation);
  const condition = (isSingle ? uniqueWhere(scope, args['where']) : where({ scope, isNegated: false }, args['where'])).sql;
  const page = isSingle ? WHOLE : pageOf(scope, args);
  const cut = FIRST.has(operation) ? firstOf(page) : page;
  const { columns, members } = args['distinct'] === undefined ? selectShared(scope, args['select']) : selectOwn(scope, args['select']);
  const keys = distinctKeys(scope, args['distinct'], columns);
  const conditions = [...(condition === TRUE ? [] : [condition]), ...cut.conditions];
  const selected = { from: [scope.table, ...scope.joins], conditions, page: cut };
  const select =
    keys.length > 0 ? distinct(scope, { keys, columns, ...selected }) : `SELECT ${columns.selected} ${tail(reading.statement, selected)}`;
  return finish(reading, { columns, members, select, isReversed: cut.isReversed });
}

const WHOLE: Page = { order: [], conditions: [], isReversed: false, skip: 0 };

/** The `take` of a call that returns one row: 1, or -1 for the last row. */
function firstOf(page: Page): Page {
  return page.take === undefined || page.take === 1 ? { ...page, take: 1 } : decline('take in findFirst');
}

const LIST_ARGUMENTS: ReadonlySet<string> = new Set(['where', 'orderBy', 'take', 'skip', 'select']);
const ARGUMENTS: ReadonlySet<string> = new Set([...LIST_ARGUMENTS, 'cursor', 'distinct']);

function requireKnown(args: Members, known: ReadonlySet<string>): void {
  const [name] = Object.keys(args).filter((key) => args[key] !== undefined && !known.has(key));
  if (name !== undefined) decline(`the argument ${name}`);
}

interface Tail {
  readonly from: readonly string[];
  readonly conditions: readonly string[];
  readonly page: Page;
}

function tail(statement: Statement, { from, conditions, page }: Tail): string {
  const { order, take, skip } = page;
  return [
    `FROM ${from.join(' ')}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    ...(take === undefined ? [] : [`LIMIT ${statement.bind(String(take))}`]),
    ...(skip === 0 ? [] : [`OFFSET ${statement.bind(String(skip))}`]),
  ].join(' ');
}

/** The columns of `distinct`, by the names that they are selected under. */
function distinctKeys(scope: Scope, names: unknown, columns: Columns): readonly string[] {
  return [names ?? []].flat().map((name: unknown) => {
    const field = scope.field(String(name));
    if (field.list || !TOLD_APART.has(field.type) || field.nativeType?.[0] === 'Citext') return decline(`distinct values of ${field.name}`);
    return columns.addKey(scope.column(field.name));
  });
}

/** Types for which `DISTINCT ON` of PostgreSQL finds the same values equal as Prisma, which compares them in memory. */
const TOLD_APART: ReadonlySet<string> = new Set(['String', 'Boolean', 'Int', 'BigInt', 'Enum', 'DateTime']);

interface Distinct extends Tail {
  readonly keys: readonly string[];
  readonly columns: Columns;
}

/** The first row of each combination of the keys. `take` and `skip` apply to these rows. Without an order, the first row is any of them. */
function distinct({ statement, alias }: Scope, { keys, columns, page, ...selected }: Distinct): string {
  const order = page.order.length > 0 ? page.order.join(', ') : `${alias}.ctid`;
  const numbered = `SELECT ${columns.selected}, row_number() OVER (ORDER BY ${order}) AS "o" ${tail(statement, { ...selected, page: WHOLE })}`;
  const by = keys.map((key) => `x.${key}`).join(', ');
  const firsts = `SELECT DISTINCT ON (${by}) x.* FROM (${numbered}) AS x ORDER BY ${by}, x."o"`;
  return `SELECT y.* ${tail(statement, { from: [`(${firsts}) AS y`], conditions: [], page: { ...page, order: ['y."o"'] } })}`;
}

interface Written {
  readonly columns: Columns;
  readonly members: readonly Member[];
  readonly select: string;
  readonly isReversed: boolean;
  /** Sent after the columns. */
  readonly last?: string;
}

/** Puts a `SELECT` into a cell. If lists belong to its rows, the `SELECT` becomes a `WITH` query that numbers them. */
function finish(reading: Reading, { columns, members, select, isReversed, last }: Written): RowSet {
  const { queries, cells } = reading;
  const lists = listsOf(members);
  const json = columns.json(...(last === undefined ? [] : [last]));
  if (lists.length === 0) {
    return { cell: cells.push(`(SELECT json_agg(${json}) FROM (${select}) AS s)`) - 1, members, isReversed, lists: [] };
  }
  const query = `q${queries.length}`;
  queries.push(`${query} AS MATERIALIZED (SELECT row_number() OVER () AS "i", s.* FROM (${select}) AS s)`);
  const cell = cells.push(`(SELECT json_agg(${json}) FROM ${query} AS s)`) - 1;
  return { cell, members, isReversed, lists: lists.map((list) => compileList(reading, list, query)) };
}

function listsOf(members: readonly Member[], lists: List[] = []): readonly List[] {
  for (const member of members) {
    if (member.kind === 'many') lists.push(member.list);
    else if (member.kind === 'one') listsOf(member.members, lists);
  }
  return lists;
}

/**
 * Builds the SQL for the rows of a list, of all owners together: at most one row more than the limit.
 *
 * A list that is cut for each owner is a lateral join, so that a page of it costs no more than that. Any other is a plain join, for the planner
 * to choose: foreign keys have no index unless the schema says so.
 */
function compileList(reading: Reading, list: List, owners: string): ListSet {
  const { relation, args, owner, keys } = list;
  requireKnown(args, LIST_ARGUMENTS);
  const scope = owner.inner(relation);
  const { from, on } = fromMany(relation, scope, { model: owner.model, column: (name) => `p.${keys.get(name) ?? decline('a key')}` });
  const condition = where({ scope, isNegated: false }, args['where']).sql;
  const conditions = condition === TRUE ? on : [...on, condition];
  const page = pageOf(scope, args);
  const { columns, members } = selectShared(scope, args['select']);
  const select = cutList(reading, { owners, columns, page, conditions, from: [from, ...scope.joins] });
  return { list, ...finish(reading, { columns, members, select, isReversed: page.isReversed, last: 's."p"' }) };
}

interface CutList extends Tail {
  readonly owners: string;
  readonly columns: Columns;
}

function cutList({ statement, budget }: Reading, { owners, columns, ...selected }: CutList): string {
  const { page, from } = selected;
  const bounded = budget === undefined ? WHOLE : { ...WHOLE, take: budget + 1 };
  const isWhole = page.skip === 0 && (page.take === undefined || (budget !== undefined && page.take > budget));
  if (isWhole) {
    const rows = { ...selected, from: [`${owners} AS p CROSS JOIN`, ...from], page: { ...bounded, order: page.order } };
    return `SELECT p."i" AS "p", ${columns.selected} ${tail(statement, rows)}`;
  }
  const lateral = `(SELECT ${columns.selected} ${tail(statement, selected)}) AS l`;
  return `SELECT p."i" AS "p", l.* ${tail(statement, { from: [`${owners} AS p CROSS JOIN LATERAL ${lateral}`], conditions: [], page: bounded })}`;
}
