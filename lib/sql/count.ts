import type { StoredModel } from '../model/storage/storage.js';
import { TRUE } from './condition.js';
import { decline } from './declined.js';
import type { Reading } from './find.js';
import { givenOf, type Members } from './object-of.js';
import { pageOf } from './order.js';
import { Scope } from './scope.js';
import { where } from './where.js';

type ReadCells = (cells: readonly unknown[]) => unknown;

/** Builds the SQL for a Prisma `count`: of rows, or of the values of each field that are not null. */
export function compileCount({ statement, storage, cells }: Reading, model: StoredModel, args: Members): ReadCells {
  const [unknown] = Object.keys(args).filter((name) => args[name] !== undefined && !ARGUMENTS.has(name));
  if (unknown !== undefined) return decline(`the argument ${unknown}`);
  const scope = new Scope({ statement, storage, joins: [] }, model);
  const { select } = args;
  const names = select === undefined ? [] : givenOf(select).flatMap(([name, value]) => (value === true ? name : []));
  const columns = names.flatMap((name, index) => (name === ALL ? [] : `${scope.column(name)} AS "c${index}"`));
  const rows = `SELECT ${columns.join(', ') || '1'} ${tail(scope, args)}`;
  if (select === undefined) {
    const cell = cells.push(`(SELECT count(*) FROM (${rows}) AS s)`) - 1;
    return (found) => Number(found[cell]);
  }
  const counts = names.map((name, index) => `count(${name === ALL ? '*' : `s."c${index}"`})`);
  const cell = cells.push(`(SELECT json_build_array(${counts.join(', ')}) FROM (${rows}) AS s)`) - 1;
  return (found) => {
    const numbers = JSON.parse(found[cell] as string) as readonly number[];
    return Object.fromEntries(names.map((name, index) => [name, numbers[index]]));
  };
}

/** The member of a count for the number of rows. */
const ALL = '_all';

/** Prisma refuses to count from a cursor on where the order may leave open which row comes first. */
function requireStable({ model }: Scope, orderBy: unknown): void {
  const names = new Set([orderBy ?? []].flat().flatMap((term: unknown) => givenOf(term).map(([name]) => name)));
  if (names.size > 0 && model.primaryKey?.fields.every((name) => names.has(name)) !== true)
    decline('a count from a cursor on in such an order');
}

function tail(scope: Scope, args: Members): string {
  if (args['cursor'] !== undefined) requireStable(scope, args['orderBy']);
  const { statement } = scope;
  const { sql } = where({ scope, isNegated: false }, args['where']);
  const { take, skip, conditions: fromCursor } = pageOf(scope, args);
  const conditions = [...(sql === TRUE ? [] : [sql]), ...fromCursor];
  return [
    `FROM ${[scope.table, ...scope.joins].join(' ')}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`]),
    ...(take === undefined ? [] : [`LIMIT ${statement.bind(String(take))}`]),
    ...(skip === 0 ? [] : [`OFFSET ${statement.bind(String(skip))}`]),
  ].join(' ');
}

const ARGUMENTS: ReadonlySet<string> = new Set(['where', 'orderBy', 'cursor', 'take', 'skip', 'select']);
