import type { StoredField } from '../model/storage/storage.js';
import { isStorableJson } from '../model/values/json-value.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { allOf, type Condition } from './condition.js';
import { decline } from './declined.js';
import { isSendable, patternOf, textOf } from './parameter.js';
import type { Scope } from './scope.js';

/** A Json field in a `where`. */
export interface JsonPlace {
  readonly scope: Scope;
  readonly field: StoredField;
  /** Whether the filter is inside an odd number of negations: Prisma then treats values of another type as matches, which the negation excludes. */
  readonly isNegated: boolean;
}

/** The condition of a Json field: of the whole value, or of what its path leads to. */
export function jsonFilter(place: JsonPlace, value: unknown): Condition {
  if (!isPlainObject(value)) return decline('a Json value without an operator');
  const { path, mode, ...operators } = value;
  const given = Object.entries(operators).filter(([, operand]) => operand !== undefined);
  if (given.length === 0 || (mode !== undefined && mode !== 'default')) return decline('a Json filter without an operator');
  const found = pathOf(place, path);
  return allOf(given.map(([operator, operand]) => ({ sql: operation({ ...place, ...found }, operator, operand) })));
}

interface Found {
  /** The value, as `jsonb`. */
  readonly json: string;
  /** The value, as text. */
  readonly text: string;
}

function pathOf({ scope, field }: JsonPlace, path: unknown): Found {
  const column = scope.column(field.name);
  if (path === undefined) return { json: column, text: `${column}::text` };
  if (!Array.isArray(path) || !path.every((step) => typeof step === 'string' && isSendable(step)))
    return decline('a path of a form of its own');
  const steps = `${scope.statement.bind(path)}::text[]`;
  return { json: `(${column} #> ${steps})::jsonb`, text: `(${column} #>> ${steps})` };
}

type Compared = JsonPlace & Found;

function operation(compared: Compared, operator: string, value: unknown): string {
  const { json, text, scope } = compared;
  const order = ORDERS.get(operator);
  if (order) return typed(compared, `${json} ${order} ${jsonOperand(scope, value)}`, typeOf(value));
  if (operator.startsWith('string_')) {
    const pattern = patternOf(JSON_PATTERNS.get(operator) ?? operator, scope.statement.bind(textOf(value)));
    return typed(compared, `${text} LIKE ${pattern}`, 'string');
  }
  switch (operator) {
    case 'equals':
      return equals(compared, value);
    case 'not':
      return differs(compared, value);
    case 'array_contains':
      return typed(compared, `${json} @> ${jsonOperand(scope, value)}`, 'array');
    case 'array_starts_with':
      return typed(compared, `(${json} -> 0)::jsonb = ${jsonOperand(scope, value)}`, 'array');
    case 'array_ends_with':
      return typed(compared, `(${json} -> -1)::jsonb = ${jsonOperand(scope, value)}`, 'array');
    default:
      return decline(`the operator ${operator}`);
  }
}

const ORDERS: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['lte', '<='],
  ['gt', '>'],
  ['gte', '>='],
]);

const JSON_PATTERNS: ReadonlyMap<string, string> = new Map([
  ['string_contains', 'contains'],
  ['string_starts_with', 'startsWith'],
  ['string_ends_with', 'endsWith'],
]);

function typed({ json, isNegated }: Compared, condition: string, type: string): string {
  return isNegated ? `(${condition} OR jsonb_typeof(${json}) <> '${type}')` : `(${condition} AND jsonb_typeof(${json}) = '${type}')`;
}

function equals({ json, scope }: Compared, value: unknown): string {
  switch (nullOf(value)) {
    case 'DbNull':
      return `${json} IS NULL`;
    case 'JsonNull':
      return `${json}::jsonb = 'null'`;
    case 'AnyNull':
      return `(${json}::jsonb = 'null' OR ${json} IS NULL)`;
    case undefined:
      return `${json}::jsonb = ${jsonOperand(scope, value)}`;
  }
}

function differs({ json, scope }: Compared, value: unknown): string {
  switch (nullOf(value)) {
    case 'DbNull':
      return `${json} IS NOT NULL`;
    case 'JsonNull':
      return `${json}::jsonb <> 'null'`;
    case 'AnyNull':
      return `(${json}::jsonb <> 'null' AND ${json} IS NOT NULL)`;
    case undefined:
      return `${json}::jsonb <> ${jsonOperand(scope, value)}`;
  }
}

/** Which of Prisma's three Json nulls a value is. */
function nullOf(value: unknown): 'DbNull' | 'JsonNull' | 'AnyNull' | undefined {
  if (typeof value !== 'object' || value === null || !(NULL in value)) return undefined;
  const name: unknown = (value as { readonly _getName?: () => unknown })._getName?.();
  return name === 'DbNull' || name === 'JsonNull' || name === 'AnyNull' ? name : decline('a null of a form of its own');
}

const NULL = Symbol.for('prisma.objectEnumValue');

/** A value as `jsonb`. A plain null means something different for each of Prisma's operators. */
function jsonOperand({ statement }: Scope, value: unknown): string {
  if (value === null || value === undefined || nullOf(value) !== undefined || !isStorableJson(value))
    return decline('a Json value of a form of its own');
  return `${statement.bind(JSON.stringify(value))}::jsonb`;
}

function typeOf(value: unknown): 'number' | 'string' {
  return typeof value === 'number' || typeof value === 'string'
    ? (typeof value as 'number' | 'string')
    : decline('an order of Json values');
}
