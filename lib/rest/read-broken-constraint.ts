import { type Constraint } from '../model/resource-model.js';
import { type ResourceIntent } from './parse/write-intent.js';

/**
 * The fields of the constraint that a write broke, hidden ones among them: to be looked for, never told. None where that is in doubt.
 *
 * Prisma 7 says in `meta.driverAdapterError.cause.constraint` what the driver does: `fields`, the columns, perhaps in double quotes (PGlite,
 * SQLite), `index`, the constraint's name (node-postgres, MariaDB, SQL Server), or next to nothing. Before it, columns are in `meta.target`.
 * The model knows no names of the database: a column that its field renames is not found.
 */
export function readBrokenConstraint(cause: unknown, intent: ResourceIntent): readonly string[] {
  const meta = member(cause, 'meta');
  const broken = member(member(meta, 'driverAdapterError'), 'cause');
  const constraint = member(broken, 'constraint');
  const name = member(constraint, 'index');
  if (typeof name === 'string') return fieldsOf(name, tableOf(broken, intent), intent.resource.constraints);
  const columns = member(constraint, 'fields') ?? member(meta, 'target');
  return Array.isArray(columns) ? columns.map((column) => String(column).replaceAll('"', '')) : [];
}

/** The resource's table: the one that the driver names, which `@@map` may have named, where the write changes no other. */
function tableOf(broken: unknown, { resource, content }: ResourceIntent): string {
  const table = member(broken, 'table');
  const isOwn = content.linkages.every(({ relationship }) => relationship.foreignKey !== undefined || relationship.joinTable);
  return typeof table === 'string' && isOwn ? table : resource.model;
}

function fieldsOf(name: string, table: string, constraints: readonly Constraint[]): readonly string[] {
  const [named, ...others] = constraints.filter((constraint) => nameOf(constraint, table) === name);
  return named && others.length === 0 ? named.fields : [];
}

/** PostgreSQL's longest name; a longer one of another database is not known here. */
const MAX_NAME = 63;

/** As Prisma names constraints that the schema does not name: `User_pkey`, `Post_slug_year_key`, `Post_authorId_fkey`. */
function nameOf({ kind, fields }: Constraint, table: string): string {
  const suffix = `_${kind}`;
  const stem = kind === 'pkey' ? table : [table, ...fields].join('_');
  return `${stem.slice(0, MAX_NAME - suffix.length)}${suffix}`;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
