import type { StoredModel } from '../model/storage/storage.js';
import { ALWAYS } from '../query/condition.js';
import { hasRowKeyFields, type Hop, type Order, type OrderTerm } from '../query/order.js';
import type { Page } from '../query/selection.js';
import { decline } from './declined.js';
import { encodeCount } from './parameter.js';
import { fromMany, type Scope } from './scope.js';
import { call, type Column, type Expression, joined, type RelatedSelect, type Select, type Sort, TRUE } from './tree.js';
import { joinOne, where } from './where.js';

/** The `ORDER BY`, `LIMIT` and `OFFSET` of a read, and the condition of its cursor. */
export interface Paged extends Pick<Select, 'order' | 'limit' | 'offset'> {
  /** The condition that selects the rows from the cursor on. */
  readonly fromCursor: readonly Expression[];
  /** Whether the rows are returned in reverse order, because `take` is negative. */
  readonly isReversed: boolean;
}

/** Whether an order is total, so that no two rows are equal in it. Without an order, a page is sorted by the primary key, which is total. */
function isStable(order: Order, model: StoredModel): boolean {
  return order.length === 0 || hasRowKeyFields(order, model);
}

/** Compiles an order and a page. A page without an order is sorted by the primary key. */
export function pageOf(scope: Scope, order: Order, page: Page): Paged {
  const { take, skip = 0, cursor } = page;
  if (take !== undefined && !Number.isSafeInteger(take)) return decline('a take that is not a whole number');
  const isReversed = take !== undefined && take < 0;
  const terms = termsOf(scope, order, page);
  const sorts = isReversed ? terms.map(reverse) : terms;
  return {
    order: sorts,
    fromCursor: cursor === undefined ? [] : [fromCursor(scope, order, page, sorts)],
    isReversed,
    ...(take !== undefined && { limit: Math.abs(take) }),
    ...(skip !== 0 && { offset: scope.statement.slot(page, encodeCount) }),
  };
}

function termsOf(scope: Scope, order: Order, { take, skip = 0, cursor }: Page): readonly Sort[] {
  const isCut = take !== undefined || skip !== 0 || cursor !== undefined;
  return order.length > 0 || !isCut ? order.map((term) => sortOf(scope, term)) : keyOrder(scope);
}

function reverse({ nulls, isDescending, expression }: Sort): Sort {
  return { expression, isDescending: !isDescending, ...(nulls && { nulls: nulls === 'first' ? 'last' : 'first' }) };
}

/**
 * Compiles the condition for the rows from the cursor on. If the row of the cursor does not exist, no row meets it. Declines orders in which Prisma
 * itself pages in memory.
 */
function fromCursor(scope: Scope, order: Order, { cursor = [], cursorRow = ALWAYS, distinct }: Page, sorts: readonly Sort[]): Expression {
  const { model } = scope;
  if (order.some((term) => !isPlain(term))) return decline('a cursor in an order that may have nulls');
  if (!isStable(order, model)) return decline('a cursor in an order that leaves open which row comes first');
  if (distinct !== undefined) return decline('a cursor of distinct rows');
  const [key, ...others] = cursor;
  if (!key || others.length > 0) return decline('a cursor of several keys');
  const row = scope.inner(model);
  const conditions = [where(row, key), where(row, cursorRow)].filter((condition) => condition !== TRUE);
  const select: Select = { from: row.table, joins: row.joins, where: conditions, order: [] };
  const pairs = sorts.map(({ expression, isDescending }) => {
    const name = expression.kind === 'column' ? expression.name : '';
    const column: Column = { kind: 'column', alias: row.alias, name };
    const value: Expression = { kind: 'scalar-select', select, column };
    return { expression, sign: isDescending ? ('<' as const) : ('>' as const), value };
  });
  const alternatives = pairs.map(({ expression, sign, value }, index) => {
    const before = pairs.slice(0, index).map((pair) => call('=', pair.expression, pair.value));
    return joined('and', [...before, call(index === pairs.length - 1 ? `${sign}=` : sign, expression, value)]);
  });
  return joined('or', alternatives);
}

/** Whether a term orders by a field of the row itself that is never null. */
function isPlain(term: OrderTerm): boolean {
  return term.kind === 'field-term' && term.path.length === 0 && term.nulls === undefined && !term.field.optional && !term.field.list;
}

function keyOrder(scope: Scope): readonly Sort[] {
  const { primaryKey, model } = scope.model;
  if (!primaryKey) return decline(`${model} has no primary key to order by`);
  return primaryKey.fields.map((name) => ({ expression: scope.column(name), isDescending: false }));
}

function sortOf(scope: Scope, term: OrderTerm): Sort {
  if (term.kind === 'relevance-term' || term.kind === 'aggregate-term') return decline('an order of a form of its own');
  const last = term.path.reduce(joinOne, scope);
  const isDescending = term.direction === 'desc';
  if (term.kind === 'count-term') return { expression: { kind: 'count-of', counted: countedBy(last, term.counted) }, isDescending };
  return { expression: last.column(term.field.name), isDescending, ...(term.nulls && { nulls: term.nulls }) };
}

/** Compiles a select of the related rows that are counted. */
export function countedBy(owner: Scope, { relation, target: model, readable = ALWAYS }: Hop): RelatedSelect {
  const target = owner.inner(model);
  const { from, joins, pairs } = fromMany(relation, target, owner);
  const condition = where(target, readable);
  return { select: { from, joins: [...joins, ...target.joins], where: condition === TRUE ? [] : [condition], order: [] }, pairs };
}
