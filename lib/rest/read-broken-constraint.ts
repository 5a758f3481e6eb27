import { memberOf } from '../errors/member-of.js';
import { type Resource } from '../model/resource-model.js';

/**
 * The fields of the constraint that a write of a resource broke, hidden ones among them: to be looked for, never told. None where that is
 * in doubt.
 *
 * Prisma 7 says in `meta.driverAdapterError.cause.constraint` what the driver does: `fields`, the columns, perhaps in double quotes (PGlite,
 * SQLite), `index`, the constraint's name (node-postgres, MariaDB, SQL Server), or next to nothing. Before it, fields are in `meta.target`.
 */
export function readBrokenConstraint(cause: unknown, { table }: Resource): readonly string[] {
  const meta = memberOf(cause, 'meta');
  const broken = memberOf(memberOf(meta, 'driverAdapterError'), 'cause');
  const constraint = memberOf(broken, 'constraint');
  const index = memberOf(constraint, 'index');
  // What a write changes in other tables may break constraints of theirs.
  const isOwn = [undefined, table.name].includes(memberOf(broken, 'table') as string | undefined);
  if (typeof index === 'string') return isOwn ? fieldsOf(index, table) : [];
  const columns = textsOf(memberOf(constraint, 'fields'));
  return columns?.flatMap((column) => table.columns.get(column.replaceAll('"', '')) ?? []) ?? textsOf(memberOf(meta, 'target')) ?? [];
}

/** Two names may be cut off to the same. */
function fieldsOf(index: string, { constraints }: Resource['table']): readonly string[] {
  const [named, ...others] = constraints.filter(({ name }) => name === index);
  return named && others.length === 0 ? named.fields : [];
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}
