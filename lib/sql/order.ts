import type { StoredRelation } from '../model/storage/storage.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type Condition, joined } from './condition.js';
import { decline } from './declined.js';
import { givenOf } from './object-of.js';
import { fromMany, type Scope } from './scope.js';
import { uniqueWhere } from './where.js';

/** One key of an order. */
interface Term {
  readonly expression: string;
  readonly isDescending: boolean;
  readonly nulls?: 'first' | 'last';
  /** The field, if the key is a field of the row itself. */
  readonly field?: string;
}

/** The order and the page of the rows of a read. */
export interface Page {
  /** The keys of `ORDER BY`. */
  readonly order: readonly string[];
  /** The condition for the rows from the cursor on. */
  readonly conditions: readonly string[];
  /** Whether the rows come in reverse order, because `take` is negative. */
  readonly isReversed: boolean;
  /** The maximum number of rows. */
  readonly take?: number;
  readonly skip: number;
}

/** The page of a Prisma argument object. With `take` or `skip`, but without an `orderBy`, rows are sorted by the primary key. */
export function pageOf(scope: Scope, { orderBy, take, skip, cursor }: Readonly<Record<string, unknown>>): Page {
  const limit = integerOf(take);
  const offset = integerOf(skip) ?? 0;
  const terms = [orderBy ?? []].flat().flatMap((term: unknown) => termsOf(scope, term));
  const isCut = limit !== undefined || offset > 0 || cursor !== undefined;
  const isReversed = limit !== undefined && limit < 0;
  const named = (terms.length > 0 || !isCut ? terms : keyTerms(scope)).map((term) => (isReversed ? reverse(term) : term));
  return {
    order: named.map(print),
    conditions: cursor === undefined ? [] : [fromCursor(scope, cursor, named)],
    isReversed,
    ...(limit !== undefined && { take: Math.abs(limit) }),
    skip: offset,
  };
}

function reverse({ nulls, ...term }: Term): Term {
  return { ...term, isDescending: !term.isDescending, ...(nulls && { nulls: nulls === 'first' ? 'last' : 'first' }) };
}

function print({ expression, isDescending, nulls }: Term): string {
  const direction = `${expression} ${isDescending ? 'DESC' : 'ASC'}`;
  return nulls ? `${direction} NULLS ${nulls.toUpperCase()}` : direction;
}

/** The rows from the row of the cursor on. None, if there is no such row. */
function fromCursor(scope: Scope, cursor: unknown, terms: readonly Term[]): string {
  const row = scope.again();
  const { sql } = uniqueKey(row, cursor);
  const pairs = terms.map(({ expression, isDescending, field }) => {
    if (field === undefined || scope.field(field).optional || scope.field(field).list)
      return decline('a cursor in an order that may have nulls');
    return { expression, sign: isDescending ? '<' : '>', value: `(SELECT ${row.column(field)} FROM ${row.table} WHERE ${sql})` };
  });
  const alternatives = pairs.map(({ expression, sign, value }, index) => {
    const before = pairs.slice(0, index).map((pair) => `${pair.expression} = ${pair.value}`);
    return joined([...before, `${expression} ${sign}${index === pairs.length - 1 ? '=' : ''} ${value}`], 'AND');
  });
  return joined(alternatives, 'OR');
}

function uniqueKey(scope: Scope, cursor: unknown): Condition {
  return givenOf(cursor).length === 1 ? uniqueWhere(scope, cursor) : decline('a cursor of several keys');
}

function integerOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return Number.isSafeInteger(value) ? Number(value) : decline('a number of rows that is none');
}

function keyTerms(scope: Scope): readonly Term[] {
  const { primaryKey, model } = scope.model;
  if (!primaryKey) return decline(`${model} has no primary key to order by`);
  return primaryKey.fields.map((name) => ({ expression: scope.column(name), isDescending: false, field: name }));
}

function termsOf(scope: Scope, term: unknown): readonly Term[] {
  return givenOf(term).flatMap(([name, value]) => {
    if (!scope.model.relations.has(name)) return fieldTerm(scope, name, value);
    const relation = scope.relation(name);
    if (relation.many) return countTerm(scope, relation, value);
    return termsOf(scope.toOne(relation), value).map(({ field: _, ...term }) => term);
  });
}

function fieldTerm(scope: Scope, name: string, value: unknown): Term {
  const expression = scope.column(name);
  if (!isPlainObject(value)) return { expression, isDescending: isDescending(value), field: name };
  const { sort, nulls, ...others } = value;
  if (Object.keys(others).length > 0) return decline('an order of a form of its own');
  if (nulls === undefined) return { expression, isDescending: isDescending(sort), field: name };
  if (nulls !== 'first' && nulls !== 'last') return decline('an order of a form of its own');
  return { expression, isDescending: isDescending(sort), nulls };
}

function countTerm(scope: Scope, relation: StoredRelation, value: unknown): Term {
  const [given, ...others] = givenOf(value);
  if (given?.[0] !== '_count' || others.length > 0) return decline('an order of a form of its own');
  return { expression: countOf(scope, relation), isDescending: isDescending(given[1]) };
}

/** The number of related rows of a row. */
export function countOf(scope: Scope, relation: StoredRelation, conditionOf?: (target: Scope) => string): string {
  const target = scope.inner(relation);
  const { from, on } = fromMany(relation, target, scope);
  const conditions = conditionOf ? [...on, conditionOf(target)] : on;
  return `(SELECT count(*) FROM ${[from, ...target.joins].join(' ')} WHERE ${conditions.join(' AND ')})`;
}

function isDescending(value: unknown): boolean {
  return value === 'desc' || (value !== 'asc' && decline('an order of a form of its own'));
}
