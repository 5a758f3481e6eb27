import type { Field, UniqueKey } from '../model/surface/surface.js';

type Row = Readonly<Record<string, unknown>>;

/**
 * Rejects a date that JavaScript cannot represent, such as `infinity` of PostgreSQL: Prisma returns an invalid Date for it, and JSON would have null.
 *
 * @param key by whose values the error names the row, where the row holds them
 * @throws Error for the log: no client can change what is stored
 */
export function requireReadable(row: Row, field: Field | undefined, key: UniqueKey | undefined): void {
  if (field?.kind !== 'attribute' || field.type !== 'DateTime' || !holdsInvalidDate(row[field.name])) return;
  throw new Error(`'${field.model}.${field.name}' of ${describeRow(row, key)} ${UNREPRESENTABLE}`);
}

/** Rejects such a date among the results of aggregate functions. */
export function requireReadableResult(value: unknown): void {
  if (isInvalidDate(value)) throw new Error(`A result ${UNREPRESENTABLE}`);
}

const UNREPRESENTABLE =
  'is a date that JSON and JavaScript cannot represent: infinity, a year before 1 or after 9999. Change the value in the database, or do not select the field.';

function holdsInvalidDate(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isInvalidDate) : isInvalidDate(value);
}

/** Whether a value is a Date without a time. */
export function isInvalidDate(value: unknown): boolean {
  return value instanceof Date && Number.isNaN(value.getTime());
}

function describeRow(row: Row, key: UniqueKey | undefined): string {
  const values = key?.fields.map((field) => row[field.name]) ?? [];
  return values.length === 0 || values.includes(undefined) ? 'a row' : `the row ${values.map(String).join(', ')}`;
}
