import { driverErrorOf } from './driver-error.js';
import { memberOf } from './member-of.js';

/** A column that had to have a value and got none. */
export interface MissingColumn {
  readonly column: string;
  /** Undefined where the database does not say. */
  readonly table: string | undefined;
}

/** Whether an error says that a column which must have a value got none. */
export function isMissingValue(error: unknown): boolean {
  const codes = [memberOf(error, 'code'), memberOf(error, 'dbErrorCode'), memberOf(driverErrorOf(error), 'originalCode')];
  return codes.some((code) => code === 'P2011' || code === '23502');
}

/**
 * The column that such an error is about; undefined where it does not say.
 *
 * Prisma's adapters give the columns of MySQL, MariaDB and SQLite in `constraint.fields`, and of PostgreSQL its message alone; node-postgres, by
 * itself or below ZenStack, has `table` and `column`.
 */
export function missingColumn(error: unknown): MissingColumn | undefined {
  const told = driverErrorOf(error);
  const fields = memberOf(memberOf(told, 'constraint'), 'fields');
  if (Array.isArray(fields) && typeof fields[0] === 'string') return { column: fields[0].replaceAll('"', ''), table: undefined };
  return [error, memberOf(error, 'cause')].map(ofDriver).find((found) => found) ?? ofMessage(memberOf(told, 'originalMessage'));
}

function ofDriver(error: unknown): MissingColumn | undefined {
  const [column, table] = [memberOf(error, 'column'), memberOf(error, 'table')];
  return typeof column === 'string' ? { column, table: typeof table === 'string' ? table : undefined } : undefined;
}

function ofMessage(message: unknown): MissingColumn | undefined {
  const { column, table } = (typeof message === 'string' ? POSTGRESQL.exec(message) : null)?.groups ?? {};
  return column === undefined ? undefined : { column, table };
}

/** Names stand there as they are, without doubling their quotes. */
const POSTGRESQL = /^null value in column "(?<column>.*?)"(?: of relation "(?<table>.*)")? violates not-null constraint$/;
