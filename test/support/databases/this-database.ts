import { it } from '@jest/globals';

/** The databases that can run the end-to-end tests. */
export type TestedDatabase = 'postgresql' | 'sqlite' | 'mariadb';

/** The database of this run: `npm run test:sqlite` and `npm run test:mariadb` name another one than PostgreSQL (PGlite) in `TEST_DATABASE`. */
export const THIS_DATABASE = readDatabase(process.env['TEST_DATABASE'] ?? 'postgresql');

function readDatabase(name: string): TestedDatabase {
  if (name === 'postgresql' || name === 'sqlite' || name === 'mariadb') return name;
  throw new Error(`TEST_DATABASE must be postgresql, sqlite or mariadb, and is ${name}.`);
}

/**
 * `it` on these databases, `it.skip` on the others. `docs/databases.md` says what those do instead.
 *
 * @example
 * itOn('postgresql')('filters by a list', …);
 */
export function itOn(...databases: readonly TestedDatabase[]): typeof it | typeof it.skip {
  return databases.includes(THIS_DATABASE) ? it : it.skip;
}

/** Rows of an `it.each` that are for these databases alone. */
export function rowsOn<Row>(databases: readonly TestedDatabase[], rows: readonly Row[]): readonly Row[] {
  return databases.includes(THIS_DATABASE) ? rows : [];
}

/** Fields that are lists of scalars, where the database has them. */
export function listsIn<Lists extends object>(lists: Lists): Lists | undefined {
  return THIS_DATABASE === 'postgresql' ? lists : undefined;
}
