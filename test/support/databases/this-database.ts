import { type Chosen, runWhere } from '../run-where.js';

/** The databases that can run the end-to-end tests. */
export type TestedDatabase = 'postgresql' | 'sqlite' | 'mariadb';

/** The database of this run: `npm run test:sqlite` and `npm run test:mariadb` name another one than PostgreSQL (PGlite) in `TEST_DATABASE`. */
export const THIS_DATABASE = readDatabase(process.env['TEST_DATABASE'] ?? 'postgresql');

function readDatabase(name: string): TestedDatabase {
  if (name === 'postgresql' || name === 'sqlite' || name === 'mariadb') return name;
  throw new Error(`TEST_DATABASE must be postgresql, sqlite or mariadb, and is ${name}.`);
}

/** A database, or one of the two forms of PostgreSQL: embedded (PGlite), or the server at `TEST_DATABASE_URL`. */
export type DatabaseKind = TestedDatabase | 'pglite' | 'postgresql-server';

/** What runs on some databases. */
export interface OnDatabases extends Chosen {
  /** Returns rows of an `it.each`, none of them on other databases. */
  readonly rows: <Row>(rows: readonly Row[]) => readonly Row[];
}

/**
 * Returns `it`, `describe` and rows for these databases; on others, tests are skipped. `docs/databases.md` describes the behaviour of those.
 *
 * @example
 * onDatabases('postgresql', 'sqlite').it('filters by a list', …);
 */
export function onDatabases(...kinds: readonly DatabaseKind[]): OnDatabases {
  const runs = kinds.some((kind) => THESE_KINDS.includes(kind));
  return { ...runWhere(runs, kinds.join(' or ')), rows: (rows) => (runs ? rows : []) };
}

const POSTGRESQL_KIND = process.env['TEST_DATABASE_URL'] === undefined ? 'pglite' : 'postgresql-server';

const THESE_KINDS: readonly DatabaseKind[] = THIS_DATABASE === 'postgresql' ? [THIS_DATABASE, POSTGRESQL_KIND] : [THIS_DATABASE];

/** Fields that are lists of scalars, where the database has them. */
export function listsIn<Lists extends object>(lists: Lists): Lists | undefined {
  return THIS_DATABASE === 'postgresql' ? lists : undefined;
}
