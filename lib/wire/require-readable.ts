import type { Field, UniqueKey } from '../model/surface/surface.js';

type Row = Readonly<Record<string, unknown>>;

/**
 * Rejects a date that JavaScript cannot represent, such as `infinity` of PostgreSQL. Prisma returns an invalid Date for it, which JSON
 * would render as null.
 *
 * @param key the key whose values identify the row in the error message, if the row has them
 * @throws Error for the log, because no client can change the stored value
 */
export function requireReadable(row: Row, field: Field | undefined, key: UniqueKey | undefined): void {
  if (field?.kind !== 'attribute' || field.type !== 'DateTime' || !holdsInvalidDate(row[field.name])) return;
  throw new Error(`'${field.model}.${field.name}' of ${describeRow(row, key)} ${UNREPRESENTABLE}`);
}

/** Rejects a date that JavaScript cannot represent, among the results of aggregate functions. */
export function requireReadableResult(value: unknown): void {
  if (isInvalidDate(value)) throw new Error(`A result ${UNREPRESENTABLE}`);
}

const UNREPRESENTABLE =
  'is a date that JSON and JavaScript cannot represent: infinity, a year before 1 or after 9999. Change the value in the database, or do not select the field.';

function holdsInvalidDate(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isInvalidDate) : isInvalidDate(value);
}

/** Whether a value is an invalid Date. */
export function isInvalidDate(value: unknown): boolean {
  return value instanceof Date && Number.isNaN(value.getTime());
}

function describeRow(row: Row, key: UniqueKey | undefined): string {
  const values = key?.fields.map((field) => row[field.name]) ?? [];
  return values.length === 0 || values.includes(undefined) ? 'a row' : `the row ${values.map(String).join(', ')}`;
}
