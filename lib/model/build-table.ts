import { frozenMap } from './freeze.js';
import { type Constraint, type Table } from './resource-model.js';
import { type DatabaseProvider, type SchemaKey, type SchemaModel } from './resource-schema.js';

/** What the database calls a model, its fields and its keys, hidden ones among them. */
export function buildTable(model: string, schema: SchemaModel, provider: DatabaseProvider): Table {
  const { table: name = model, primaryKey, uniqueKeys } = schema;
  const fields = Object.entries(schema.fields);
  const columns = new Map(fields.flatMap(([field, value]) => (value.kind === 'relation' ? [] : [[field, value.column ?? field]])));
  const foreignKeys = fields.flatMap(([, field]) => (field.kind === 'relation' ? (field.foreignKey ?? []) : []));
  return Object.freeze({
    name,
    columns: frozenMap([...columns].map(([field, column]) => [column, field])),
    constraints: Object.freeze([
      ...(primaryKey ? [constraint('pkey', primaryKey)] : []),
      ...uniqueKeys.map((key) => constraint('key', key)),
      ...foreignKeys.map((key) => constraint('fkey', key)),
    ]),
  });

  function constraint(suffix: Suffix, key: Pick<SchemaKey, 'fields' | 'constraint'>): Constraint {
    const parts = suffix === 'pkey' ? [] : key.fields.map((field) => columns.get(field) ?? field);
    const stem = [name, ...parts].join('_').slice(0, LONGEST_NAMES[provider] - suffix.length - 1);
    return Object.freeze({ name: key.constraint ?? `${stem}_${suffix}`, fields: Object.freeze([...key.fields]) });
  }
}

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
