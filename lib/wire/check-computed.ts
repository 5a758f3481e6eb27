import type { Attribute, Resource } from '../model/surface/surface.js';
import { isDecimal } from './encode-scalar.js';

/**
 * Rejects a value of a computed field that does not have its declared type.
 * Because a function of the application computes the value, the database does not guarantee its type: an object in place of a string could
 * expose other data.
 *
 * @throws Error for the log, because the fault is the application's and not the client's
 */
export function checkComputedValue(attribute: Attribute, value: unknown): void {
  if (isOfType(attribute, value)) return;
  const { model, name, type, list, optional } = attribute;
  const declared = `${type}${list ? '[]' : ''}${optional ? '?' : ''}`;
  throw new Error(
    `The computed field '${model}.${name}' is declared as ${declared} in resources, and its value is ${describeKind(value)}.`,
  );
}

/** Rejects a row in which a computed field does not have its declared type. */
export function checkComputedFields(row: Readonly<Record<string, unknown>>, resource: Resource | undefined): void {
  for (const attribute of resource?.computed ?? []) {
    if (Object.hasOwn(row, attribute.name)) checkComputedValue(attribute, row[attribute.name]);
  }
}

function isOfType({ type, list, optional }: Attribute, value: unknown): boolean {
  if (type === 'Enum') return false;
  if (value === null) return optional;
  return list ? Array.isArray(value) && value.every(TYPES[type]) : TYPES[type](value);
}

/** Type checks for the values that Prisma returns for a column of each type. */
const TYPES: Readonly<Record<Exclude<Attribute['type'], 'Enum'>, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => Number.isInteger(value),
  BigInt: (value) => typeof value === 'bigint',
  Float: (value) => typeof value === 'number',
  Decimal: (value) => typeof value === 'object' && value !== null && isDecimal(value),
  DateTime: (value) => value instanceof Date,
  Json: (value) => ['string', 'number', 'boolean', 'object'].includes(typeof value),
  Bytes: (value) => value instanceof Uint8Array,
};

/** Describes the kind of a value for an error message, without the value. */
function describeKind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `of the type ${typeof value}`;
  return Array.isArray(value) ? 'a list' : 'an object';
}
