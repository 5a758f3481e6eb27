import { describeType } from '../model/surface/lacked-comparisons.js';
import type { ComparisonKind } from '../model/surface/comparison-kind.js';
import type { StoredField } from '../model/storage/storage.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { Place } from './place.js';

const COMPARISON_OF_OPERATOR: ReadonlyMap<string, ComparisonKind> = new Map<string, ComparisonKind>([
  ...['equals', 'not', 'in', 'notIn', 'has', 'hasEvery', 'hasSome', 'isEmpty'].map((name) => [name, 'equality'] as const),
  ...['lt', 'lte', 'gt', 'gte'].map((name) => [name, 'order'] as const),
  ...['contains', 'startsWith', 'endsWith'].map((name) => [name, 'text'] as const),
  ['search', 'folding'],
]);

/** Whether the database has an operator for the type of a field. */
export function hasOperator({ lacks }: Pick<StoredField, 'lacks'>, operator: string): boolean {
  const need = lacks && COMPARISON_OF_OPERATOR.get(operator);
  return need === undefined || lacks?.has(need) !== true;
}

/** Rejects an operator that the database does not have for the type of a field. A comparison with null is possible for every type. */
export function requireComparison(
  field: StoredField,
  operator: string,
  { value, place }: { readonly value: unknown; readonly place: Place },
): void {
  if (hasOperator(field, operator)) return;
  if (value === null && (operator === 'equals' || operator === 'not')) return;
  if (operator === 'not' && isPlainObject(value) && field.type !== 'Json') return;
  place.refuse(`does not go with '${field.name}': the database does not compare ${describeType(field)} so.`, 'invalid-filter');
}

/** Rejects `mode: 'insensitive'` for a type without case-insensitive comparison in the database. */
export function requireFolding(field: StoredField, place: Place): void {
  if (field.lacks?.has('folding'))
    place.member('mode').refuse(`does not go with '${field.name}', of type ${describeType(field)}.`, 'invalid-filter');
}
