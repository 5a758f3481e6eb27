import type { StoredField } from '../model/storage/storage.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { decline } from './declined.js';
import { listOperand, requireUsual } from './parameter.js';
import type { Scope } from './scope.js';

/** The condition of a filter on a scalar list. Prisma accepts one operator at a time. */
export function listFilter(scope: Scope, field: StoredField, value: unknown): string {
  requireUsual(field);
  const column = scope.column(field.name);
  const [operator, operand] = operatorOf(value);
  if (operator === 'isEmpty') return `${column} ${flag(operand) ? '=' : '<>'} '{}'`;
  if (operator === 'equals' && operand === null) return `${column} IS NULL`;
  const sign = SIGNS.get(operator);
  if (sign === undefined || !isComparable(field, operator)) return decline(`${operator} of a list of ${field.type}`);
  const values: unknown = operator === 'has' ? [operand] : operand;
  return Array.isArray(values) ? `${column} ${sign} ${listOperand(scope, field, values)}` : decline('a list of a form of its own');
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['equals', '='],
  ['has', '@>'],
  ['hasEvery', '@>'],
  ['hasSome', '&&'],
]);

/** Prisma passes lists of other types to the database in forms that depend on the driver. */
function isComparable({ type }: StoredField, operator: string): boolean {
  return type !== 'Json' && type !== 'Bytes' && (type !== 'Enum' || operator === 'equals');
}

function operatorOf(value: unknown): readonly [operator: string, operand: unknown] {
  if (!isPlainObject(value)) return ['equals', value];
  const [given, ...others] = Object.entries(value).filter(([, operand]) => operand !== undefined);
  return given && others.length === 0 ? given : decline('a list compared in several ways');
}

function flag(value: unknown): boolean {
  return typeof value === 'boolean' ? value : decline('a flag that is none');
}
