import { driverErrorOf } from './driver-error.js';
import { memberOf } from './member-of.js';

/** A required column without a value. */
export interface MissingColumn {
  readonly column: string;
  /** Undefined if the database does not report it. */
  readonly table: string | undefined;
}

/** Whether an error reports a required column without a value. */
export function isMissingValue(error: unknown): boolean {
  const codes = [memberOf(error, 'code'), memberOf(error, 'dbErrorCode'), memberOf(driverErrorOf(error), 'originalCode')];
  return codes.some((code) => code === 'P2011' || code === '23502');
}

/**
 * Returns the column of such an error; undefined if the error does not name it.
 *
 * Prisma's adapters report the columns of MySQL, MariaDB and SQLite in `constraint.fields`. For PostgreSQL they report only the message. Errors of
 * node-postgres, direct or below ZenStack, have `table` and `column`.
 */
export function missingColumn(error: unknown): MissingColumn | undefined {
  const driverError = driverErrorOf(error);
  const fields = memberOf(memberOf(driverError, 'constraint'), 'fields');
  if (Array.isArray(fields) && typeof fields[0] === 'string') return { column: fields[0].replaceAll('"', ''), table: undefined };
  return [error, memberOf(error, 'cause')].map(ofDriver).find((found) => found) ?? ofMessage(memberOf(driverError, 'originalMessage'));
}

function ofDriver(error: unknown): MissingColumn | undefined {
  const [column, table] = [memberOf(error, 'column'), memberOf(error, 'table')];
  return typeof column === 'string' ? { column, table: typeof table === 'string' ? table : undefined } : undefined;
}

function ofMessage(message: unknown): MissingColumn | undefined {
  const { column, table } = (typeof message === 'string' ? POSTGRESQL.exec(message) : null)?.groups ?? {};
  return column === undefined ? undefined : { column, table };
}

/** PostgreSQL's message. Quotes inside the names are not doubled. */
const POSTGRESQL = /^null value in column "(?<column>.*?)"(?: of relation "(?<table>.*)")? violates not-null constraint$/;
