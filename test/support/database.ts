import { PrismaClient } from './generated/prisma/client.js';
import { loggedAdapter } from './logged-adapter.js';
import type { SeededDatabase } from './databases/seeded-database.js';
import { THIS_DATABASE } from './databases/this-database.js';
import { type OpenDatabase, openPglite, type PgliteTemplate } from './pglite-database.js';
import { readsInSql, sqlReadsOn, type SqlReadsOptions } from './sql-reads.js';
import { StatementLog } from './statement-log.js';
import { buildTemplate, TEMPLATE_VERSION } from './template.js';

/** The embedded database with the base seed. */
export const EMBEDDED: PgliteTemplate = {
  name: 'test',
  version: TEMPLATE_VERSION,
  build: async (pglite) => {
    const { PrismaPGlite } = await import('pglite-prisma-adapter');
    await buildTemplate({ adapter: new PrismaPGlite(pglite), execute: (script) => pglite.exec(script) });
  },
};

/** A database with the base seed (`seed.ts`), for one test file. */
export interface TestDatabase {
  readonly prisma: PrismaClient;
  /** Where further connections lead to it, if it is on a server. */
  readonly connectionString: string | undefined;
  /** How SQL reads run in `npm run test:sql-reads`; undefined in any other run, where Prisma answers all reads. */
  readonly sqlReads: SqlReadsOptions | undefined;
  /** The statements that the database received since the last `reset()` or `statements.clear()`. */
  readonly statements: StatementLog;
  /** Brings the base seed back, the sequences too, and clears the statements. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a seeded database: embedded PostgreSQL, or a new database on the server at `TEST_DATABASE_URL` when that is set; or
 * the database that `TEST_DATABASE` names (`npm run test:sqlite`, `npm run test:mariadb`).
 *
 * @example
 * let database: TestDatabase;
 * beforeAll(async () => { database = await openTestDatabase(); });
 * beforeEach(() => database.reset());
 * afterAll(() => database.close());
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { adapter, restore, close, connectionString } = await openDatabase();
  const statements = new StatementLog();
  const sqlReads = readsInSql() ? await sqlReadsOn(connectionString, statements) : undefined;
  const prisma = new PrismaClient({ adapter: loggedAdapter(adapter, statements) });
  const reset = async (): Promise<void> => {
    if (statements.mayHaveWritten) {
      await prisma.$transaction(
        restore.map((statement) => prisma.$executeRawUnsafe(statement)),
        RESTORING,
      );
    }
    statements.restored();
    statements.clear();
  };
  await reset();
  return {
    prisma,
    connectionString,
    sqlReads,
    statements,
    reset,
    close: async () => {
      await prisma.$disconnect();
      await sqlReads?.pool?.end();
      await close();
    },
  };
}

/** A busy machine may take longer than Prisma gives a transaction. */
const RESTORING = { timeout: 60_000, maxWait: 60_000 };

/** Each driver is loaded where it is needed: Jest loads modules anew for each test file. */
async function openDatabase(): Promise<SeededDatabase> {
  switch (THIS_DATABASE) {
    case 'sqlite':
      return (await import('./databases/sqlite-database.js')).openSqlite();
    case 'mariadb':
      return (await import('./databases/mariadb-database.js')).openMariadb(requireUrl('TEST_MARIADB_URL'));
    case 'postgresql':
      return { ...(await openPostgresql()), restore: ['SELECT seed.restore()'] };
  }
}

async function openPostgresql(): Promise<OpenDatabase> {
  const url = process.env['TEST_DATABASE_URL'];
  return url ? (await import('./postgres-database.js')).openPostgres(url) : openPglite(EMBEDDED);
}

function requireUrl(variable: string): string {
  const url = process.env[variable];
  if (!url) throw new Error(`Name the server in ${variable}.`);
  return url;
}
