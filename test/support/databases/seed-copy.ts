import type { PortedProvider, PortedTable } from './port-sql.js';

/** The statements by which a database keeps a copy of its seed, and brings it back. */
export interface SeedCopy {
  readonly snapshot: readonly string[];
  readonly restore: readonly string[];
}

/** @param tables in the order of their creation, so that each row finds the rows that it references */
export function seedCopy(tables: readonly PortedTable[], provider: PortedProvider): SeedCopy {
  const { quote, copyKeys, restoreKeys } = DIALECTS[provider];
  const names = tables.map(({ name }) => ({ name: quote(name), copy: quote(`seed_${name}`) }));
  return {
    snapshot: [...names.map(({ name, copy }) => `CREATE TABLE ${copy} AS SELECT * FROM ${name}`), ...copyKeys],
    restore: [
      // A tree whose branches cannot be deleted before their children.
      `UPDATE ${quote('Category')} SET ${quote('parentId')} = NULL`,
      ...names.toReversed().map(({ name }) => `DELETE FROM ${name}`),
      ...names.map(({ name, copy }) => `INSERT INTO ${name} SELECT * FROM ${copy}`),
      ...restoreKeys,
    ],
  };
}

/** SQLite counts generated ids in a table. MariaDB counts them beyond SQL's reach: `openMariadb` sets them. */
const DIALECTS = {
  mysql: { quote: (name: string) => `\`${name}\``, copyKeys: [], restoreKeys: [] },
  sqlite: {
    quote: (name: string) => `"${name}"`,
    copyKeys: ['CREATE TABLE seed_sequence AS SELECT * FROM sqlite_sequence'],
    restoreKeys: ['DELETE FROM sqlite_sequence', 'INSERT INTO sqlite_sequence SELECT * FROM seed_sequence'],
  },
} as const;
