import type { DatabaseProvider, SchemaKey, SchemaModel } from '../schema/resource-schema.js';
import type { Constraint, StoredModel } from './storage.js';

/** The keys of a model under the names that the database knows them by: given in the schema, or made as Prisma makes them. */
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

/** What MySQL and MariaDB call the primary key of every table. */
export const MYSQL_PRIMARY = 'PRIMARY';

/** How Prisma ends the names of constraints that the schema does not name: `User_pkey`, `Post_slug_year_key`, `Post_authorId_fkey`. */
type Suffix = 'pkey' | 'key' | 'fkey';

/** Where Prisma cuts such a name off. */
const LONGEST_NAMES: Readonly<Record<DatabaseProvider, number>> = {
  postgresql: 63,
  cockroachdb: 63,
  mysql: 64,
  sqlserver: 128,
  mongodb: 127,
  sqlite: Infinity,
};
