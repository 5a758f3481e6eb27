import type { StoredField } from '../model/storage/storage.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { allOf, type Condition, EMPTY, FALSE, TRUE } from './condition.js';
import { decline } from './declined.js';
import { jsonFilter } from './json-filter.js';
import { listFilter } from './list-filter.js';
import { listOperand, operand, patternOf, PATTERNS, textOf } from './parameter.js';
import type { Scope } from './scope.js';
import type { Members } from './object-of.js';

/** The place of a filter. */
export interface Place {
  readonly scope: Scope;
  /** Whether the filter is inside an odd number of negations. Prisma's filters of Json values depend on it. */
  readonly isNegated: boolean;
}

/** The condition of a scalar or enum field, or of a list of them. */
export function fieldFilter({ scope, isNegated }: Place, name: string, value: unknown): Condition {
  const field = scope.field(name);
  if (field.list) return { sql: listFilter(scope, field, value) };
  if (field.type === 'Json') return jsonFilter({ scope, field, isNegated }, value);
  if (!isPlainObject(value)) return { sql: equals({ scope, field, isNot: false, isInsensitive: false }, value) };
  const { mode, ...operators } = value;
  return operations({ scope, field, isNot: false, isInsensitive: mode === 'insensitive' }, operators);
}

interface Compared {
  readonly scope: Scope;
  readonly field: StoredField;
  /** Whether each comparison is negated: `not: { … }`. */
  readonly isNot: boolean;
  readonly isInsensitive: boolean;
}

function operations(compared: Compared, operators: Members): Condition {
  const given = Object.entries(operators).filter(([, value]) => value !== undefined);
  if (given.length === 0) return EMPTY;
  const conditions = given.map(([operator, value]): Condition => {
    if (operator !== 'not') return { sql: operation(compared, operator, value) };
    if (compared.isNot) return decline('not in not');
    const inner = { ...compared, isNot: true };
    return isPlainObject(value) ? operations(inner, value) : { sql: equals(inner, value) };
  });
  return allOf(conditions);
}

function operation(compared: Compared, operator: string, value: unknown): string {
  const order = ORDERS.get(operator);
  if (order) return compare(compared, compared.isNot ? order.opposite : order.sign, value);
  if (PATTERNS.has(operator)) return like(compared, operator, value);
  switch (operator) {
    case 'equals':
      return equals(compared, value);
    case 'in':
      return among(compared, !compared.isNot, value);
    case 'notIn':
      return among(compared, compared.isNot, value);
    case 'search':
      return search(compared, value);
    default:
      return decline(`the operator ${operator}`);
  }
}

const ORDERS: ReadonlyMap<string, { readonly sign: string; readonly opposite: string }> = new Map([
  ['lt', { sign: '<', opposite: '>=' }],
  ['lte', { sign: '<=', opposite: '>' }],
  ['gt', { sign: '>', opposite: '<=' }],
  ['gte', { sign: '>=', opposite: '<' }],
]);

function columnOf({ scope, field }: Pick<Compared, 'scope' | 'field'>): string {
  return scope.column(field.name);
}

function equals(compared: Compared, value: unknown): string {
  const { scope, field, isNot, isInsensitive } = compared;
  const column = columnOf(compared);
  if (value === null) return `${column} IS ${isNot ? 'NOT ' : ''}NULL`;
  if (!isInsensitive) return `${column} ${isNot ? '<>' : '='} ${operand(scope, field, value)}`;
  requireText(field);
  return `${column} ${isNot ? 'NOT ' : ''}ILIKE ${operand(scope, field, value)}`;
}

function compare(compared: Compared, sign: string, value: unknown): string {
  const { scope, field, isInsensitive } = compared;
  const right = operand(scope, field, value);
  return isInsensitive ? `LOWER(${columnOf(compared)}) ${sign} LOWER(${right})` : `${columnOf(compared)} ${sign} ${right}`;
}

function among(compared: Compared, isIn: boolean, value: unknown): string {
  const { scope, field, isInsensitive } = compared;
  if (!Array.isArray(value)) return decline('a list of a form of its own');
  const values: readonly unknown[] = value;
  if (values.length === 0) return isIn ? FALSE : TRUE;
  if (values.includes(null)) return decline('null in a list');
  const column = columnOf(compared);
  if (isInsensitive || field.type === 'Bytes') {
    const each = values.map((one) => operand(scope, field, one)).map((one) => (isInsensitive ? `LOWER(${one})` : one));
    return `${isInsensitive ? `LOWER(${column})` : column} ${isIn ? '' : 'NOT '}IN (${each.join(', ')})`;
  }
  return `${column} ${isIn ? '= ANY' : '<> ALL'}(${listOperand(scope, field, values)})`;
}

function like(compared: Compared, operator: string, value: unknown): string {
  const { scope, field, isNot, isInsensitive } = compared;
  requireText(field);
  const not = isNot ? 'NOT ' : '';
  const right = patternOf(operator, scope.statement.bind(textOf(value)));
  return isInsensitive ? `${columnOf(compared)} ${not}ILIKE ${right}` : `${columnOf(compared)}::text ${not}LIKE ${right}`;
}

function search(compared: Compared, value: unknown): string {
  const { scope, isNot } = compared;
  requireText(compared.field);
  scope.statement.searchOnce();
  const sql = `to_tsvector(concat_ws(' ', ${columnOf(compared)})) @@ to_tsquery(${scope.statement.bind(textOf(value))})`;
  return isNot ? `(NOT ${sql})` : `(${sql})`;
}

/** Prisma has no such operator for other types, nor for uuids. */
function requireText({ name, type, nativeType }: StoredField): void {
  if (type !== 'String' || nativeType?.[0] === 'Uuid') decline(`a comparison of ${name} as text`);
}
