import type { StoredField } from './storage/storage.js';
import { nullForJson } from './values/json-value.js';
import { readJson } from './values/scalar-types.js';

/**
 * Reads a value that the application's code returns for a field.
 *
 * @param fail throws with the problem; the value is not included, because it may be a secret
 * @returns the value in the form of the data client
 */
export function readApplicationValue(field: StoredField, given: unknown, fail: (problem: string) => never): unknown {
  if (given === null) return readNull(field, fail);
  if (!field.list) return readApplicationElement(field, given, fail);
  if (!Array.isArray(given)) return fail(`gave ${describeKind(given)}: the field is a list.`);
  return given.map((one) => readApplicationElement(field, one, fail));
}

function readNull(field: StoredField, fail: (problem: string) => never): unknown {
  if (field.type === 'Json') return nullForJson(field);
  return field.optional ? null : fail('gave null: the field is required.');
}

/** Reads one value of the field's type; for a list, one of its elements. */
export function readApplicationElement(
  { type, nativeType, enumType }: StoredField,
  given: unknown,
  fail: (problem: string) => never,
): unknown {
  // A Decimal may be a number here, because it did not pass through `JSON.parse`, which rounds numbers.
  const value = type === 'Decimal' && typeof given === 'number' ? String(given) : given;
  const field = { type, ...(nativeType && { nativeType }), ...(enumType && { enumValues: new Set(enumType.values.keys()) }) };
  const reading = given === undefined ? { expected: `${type}, or null where the field is optional` } : readJson(field, value);
  return 'value' in reading ? reading.value : fail(`gave ${describeKind(given)}: expected ${reading.expected}.`);
}

function describeKind(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
