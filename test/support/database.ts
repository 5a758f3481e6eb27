import { PrismaPGlite } from 'pglite-prisma-adapter';
import { PrismaClient } from './generated/prisma/client.js';
import { loggedAdapter } from './logged-adapter.js';
import { openPglite, type PgliteTemplate } from './pglite-database.js';
import { openPostgres } from './postgres-database.js';
import { StatementLog } from './statement-log.js';
import { buildTemplate, TEMPLATE_VERSION } from './template.js';

const EMBEDDED: PgliteTemplate = {
  name: 'test',
  version: TEMPLATE_VERSION,
  build: (pglite) => buildTemplate({ adapter: new PrismaPGlite(pglite), execute: (script) => pglite.exec(script) }),
};

/** A database with the base seed (`seed.ts`), for one test file. */
export interface TestDatabase {
  readonly prisma: PrismaClient;
  /** What the database was asked since the last `reset()` or `statements.clear()`. */
  readonly statements: StatementLog;
  /** Brings the base seed back, the sequences too, and clears the statements. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a seeded database: embedded PostgreSQL, or a database of its own on the server at `TEST_DATABASE_URL` when that is set.
 *
 * @example
 * let database: TestDatabase;
 * beforeAll(async () => { database = await openTestDatabase(); });
 * beforeEach(() => database.reset());
 * afterAll(() => database.close());
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const url = process.env['TEST_DATABASE_URL'];
  const { adapter, close } = url ? await openPostgres(url) : await openPglite(EMBEDDED);
  const statements = new StatementLog();
  const prisma = new PrismaClient({ adapter: loggedAdapter(adapter, statements) });
  const reset = async (): Promise<void> => {
    await prisma.$executeRawUnsafe('SELECT seed.restore()');
    statements.clear();
  };
  await reset();
  return {
    prisma,
    statements,
    reset,
    close: async () => {
      await prisma.$disconnect();
      await close();
    },
  };
}
