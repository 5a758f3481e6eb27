import { driverErrorOf } from '../../errors/driver-error.js';
import { memberOf } from '../../errors/member-of.js';
import { MYSQL_PRIMARY } from './build-constraints.js';
import type { StoredModel } from './storage.js';

/**
 * Returns the fields of the constraint that a write has violated; none where the constraint is ambiguous. Hidden fields are included, so a
 * response must not name them before a check.
 *
 * Prisma 7 has the driver's data in `meta.driverAdapterError.cause.constraint`. `fields` are the columns, sometimes in double quotes
 * (PGlite, SQLite); `index` is the constraint's name (node-postgres, MariaDB, SQL Server). Both may be absent. Earlier versions have the
 * fields in `meta.target`.
 */
export function readBrokenConstraint(cause: unknown, stored: StoredModel): readonly string[] {
  const meta = memberOf(cause, 'meta');
  const broken = driverErrorOf(cause);
  const constraint = memberOf(broken, 'constraint');
  const index = memberOf(constraint, 'index');
  // A write may also change other tables, and violate their constraints.
  const table = memberOf(broken, 'table');
  const isOwn = table === undefined || table === stored.table;
  if (typeof index === 'string') return isOwn ? findConstraintFields(index, stored) : [];
  const columns = textsOf(memberOf(constraint, 'fields'));
  return columns?.flatMap((column) => stored.columns.get(column.replaceAll('"', '')) ?? []) ?? textsOf(memberOf(meta, 'target')) ?? [];
}

/** Whether the error names its constraint, and the name identifies a table. Columns alone do not, because other tables may have the same ones. */
export function isConstraintNamed(cause: unknown): boolean {
  return typeof constraintName(cause) === 'string' && !isEveryTables(cause);
}

/** Whether the constraint has the name that every table uses: MariaDB names all primary keys `PRIMARY`, and does not report the table. */
export function isEveryTables(cause: unknown): boolean {
  return constraintName(cause) === MYSQL_PRIMARY && memberOf(driverErrorOf(cause), 'table') === undefined;
}

function constraintName(cause: unknown): unknown {
  return memberOf(memberOf(driverErrorOf(cause), 'constraint'), 'index');
}

/** Returns the fields of the constraint with this name; none if two truncated names are equal. */
function findConstraintFields(index: string, { constraints }: StoredModel): readonly string[] {
  const [named, ...others] = constraints.filter(({ name }) => name === index);
  return named && others.length === 0 ? named.fields : [];
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}
