import type { DatabaseProvider, SchemaKey, SchemaModel } from '../schema/resource-schema.js';
import type { Constraint, StoredModel } from './storage.js';

/** Builds the constraints of a model with their names in the database: those of the schema, or Prisma's default names. */
export function buildConstraints(
  { table, fields }: Pick<StoredModel, 'table' | 'fields'>,
  schema: SchemaModel,
  provider: DatabaseProvider,
): readonly Constraint[] {
  const { primaryKey, uniqueKeys } = schema;
  const relations = Object.values({ ...schema.fields, ...schema.ignored }).filter((field) => field.kind === 'relation');
  const foreignKeys = relations.flatMap(({ foreignKey, ignoredKey }) => foreignKey ?? ignoredKey ?? []);
  return Object.freeze([
    ...(primaryKey ? [constraint('pkey', primaryKey)] : []),
    ...uniqueKeys.map((key) => constraint('key', key)),
    ...foreignKeys.map((key) => constraint('fkey', key)),
  ]);

  function constraint(suffix: Suffix, key: Pick<SchemaKey, 'fields' | 'constraint'>): Constraint {
    if (suffix === 'pkey' && provider === 'mysql') return Object.freeze({ name: MYSQL_PRIMARY, fields: Object.freeze([...key.fields]) });
    const parts = suffix === 'pkey' ? [] : key.fields.map((field) => fields.get(field)?.column ?? field);
    const stem = [table, ...parts].join('_').slice(0, LONGEST_NAMES[provider] - suffix.length - 1);
    return Object.freeze({ name: key.constraint ?? `${stem}_${suffix}`, fields: Object.freeze([...key.fields]) });
  }
}

/** The name of every primary key in MySQL and MariaDB. */
export const MYSQL_PRIMARY = 'PRIMARY';

/** The suffix of Prisma's default constraint names: `User_pkey`, `Post_slug_year_key`, `Post_authorId_fkey`. */
type Suffix = 'pkey' | 'key' | 'fkey';

/** The maximum length of Prisma's default constraint names; longer names are truncated. */
const LONGEST_NAMES: Readonly<Record<DatabaseProvider, number>> = {
  postgresql: 63,
  cockroachdb: 63,
  mysql: 64,
  sqlserver: 128,
  mongodb: 127,
  sqlite: Infinity,
};
