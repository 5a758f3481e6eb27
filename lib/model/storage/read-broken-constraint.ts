import { driverErrorOf } from '../../errors/driver-error.js';
import { memberOf } from '../../errors/member-of.js';
import { MYSQL_PRIMARY } from './build-constraints.js';
import type { StoredModel } from './storage.js';

/**
 * The fields of the constraint that a write of a model broke, hidden ones among them: to be looked for, never told. None where that is
 * in doubt.
 *
 * Prisma 7 says in `meta.driverAdapterError.cause.constraint` what the driver does: `fields`, the columns, perhaps in double quotes (PGlite,
 * SQLite), `index`, the constraint's name (node-postgres, MariaDB, SQL Server), or next to nothing. Before it, fields are in `meta.target`.
 */
export function readBrokenConstraint(cause: unknown, stored: StoredModel): readonly string[] {
  const meta = memberOf(cause, 'meta');
  const broken = driverErrorOf(cause);
  const constraint = memberOf(broken, 'constraint');
  const index = memberOf(constraint, 'index');
  // What a write changes in other tables may break constraints of theirs.
  const isOwn = [undefined, stored.table].includes(memberOf(broken, 'table') as string | undefined);
  if (typeof index === 'string') return isOwn ? findConstraintFields(index, stored) : [];
  const columns = textsOf(memberOf(constraint, 'fields'));
  return columns?.flatMap((column) => stored.columns.get(column.replaceAll('"', '')) ?? []) ?? textsOf(memberOf(meta, 'target')) ?? [];
}

/** Whether the constraint is told by its name, which is one table's; columns of the same name may be in many. */
export function isConstraintNamed(cause: unknown): boolean {
  return typeof constraintName(cause) === 'string' && !isEveryTables(cause);
}

/** Whether it is told by a name that every table has: MariaDB calls each primary key the same, and does not say whose. */
export function isEveryTables(cause: unknown): boolean {
  return constraintName(cause) === MYSQL_PRIMARY && memberOf(driverErrorOf(cause), 'table') === undefined;
}

function constraintName(cause: unknown): unknown {
  return memberOf(memberOf(driverErrorOf(cause), 'constraint'), 'index');
}

/** Two names may be cut off to the same. */
function findConstraintFields(index: string, { constraints }: StoredModel): readonly string[] {
  const [named, ...others] = constraints.filter(({ name }) => name === index);
  return named && others.length === 0 ? named.fields : [];
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}
