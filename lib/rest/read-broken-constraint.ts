import { type Resource } from '../model/resource-model.js';

/**
 * The fields of the constraint that a write of a resource broke, hidden ones among them: to be looked for, never told. None where that is
 * in doubt.
 *
 * Prisma 7 says in `meta.driverAdapterError.cause.constraint` what the driver does: `fields`, the columns, perhaps in double quotes (PGlite,
 * SQLite), `index`, the constraint's name (node-postgres, MariaDB, SQL Server), or next to nothing. Before it, fields are in `meta.target`.
 */
export function readBrokenConstraint(cause: unknown, { table }: Resource): readonly string[] {
  const meta = member(cause, 'meta');
  const broken = member(member(meta, 'driverAdapterError'), 'cause');
  const constraint = member(broken, 'constraint');
  const index = member(constraint, 'index');
  // What a write changes in other tables may break constraints of theirs.
  const isOwn = [undefined, table.name].includes(member(broken, 'table') as string | undefined);
  if (typeof index === 'string') return isOwn ? fieldsOf(index, table) : [];
  const columns = textsOf(member(constraint, 'fields'));
  return columns?.flatMap((column) => table.columns.get(column.replaceAll('"', '')) ?? []) ?? textsOf(member(meta, 'target')) ?? [];
}

/** Two names may be cut off to the same. */
function fieldsOf(index: string, { constraints }: Resource['table']): readonly string[] {
  const [named, ...others] = constraints.filter(({ name }) => name === index);
  return named && others.length === 0 ? named.fields : [];
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
