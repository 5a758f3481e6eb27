import { PrismaPg } from '@prisma/adapter-pg';
import { readdirSync, readFileSync } from 'node:fs';
import { applyMigrations } from '../../../sample/blog/src/database/apply-migrations.js';
import { type Database, openPglite as openSample, openPostgres } from '../../../sample/blog/src/database/open-database.js';
import { seedWhenEmpty } from '../../../sample/blog/src/database/seed.js';
import { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';
import { loggedAdapter } from '../../support/logged-adapter.js';
import { type OpenDatabase, openPglite, type PgliteTemplate } from '../../support/pglite-database.js';
import { createDatabase } from '../../support/postgres-database.js';
import { StatementLog } from '../../support/statement-log.js';
import { versionOf } from '../../support/template.js';
import { type Engine, SERVER_URL } from './engines.js';

/** The database of the blog sample, with its policies and its seed. */
export interface BlogDatabase {
  /** A client of the owner of the tables, who bypasses the policies. */
  readonly prisma: PrismaClient;
  /** The connection string, if it is on a server. */
  readonly connectionString: string | undefined;
  readonly statements: StatementLog;
  /** Returns all rows as an ordered text, which is equal before and after a request that writes nothing. */
  readonly dump: () => Promise<string>;
  /** Restores the seed of the sample. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * @param connections size of the pool, on a server; PGlite has one connection
 * @param timeout of transactions, in milliseconds
 */
export async function openBlogDatabase(engine: Engine, connections = 4, timeout = 20_000): Promise<BlogDatabase> {
  const { adapter, connectionString, close } = engine === 'PGlite' ? await openPglite(EMBEDDED) : await createOnServer(connections);
  const statements = new StatementLog();
  const prisma = new PrismaClient({
    adapter: loggedAdapter(adapter, statements),
    transactionOptions: { maxWait: 20_000, timeout },
  });
  const reset = async (): Promise<void> => {
    await prisma.$executeRawUnsafe('SELECT seed.restore()');
    statements.clear();
  };
  await reset();
  return {
    prisma,
    connectionString,
    statements,
    dump: () => dump(prisma),
    reset,
    close: async () => {
      await prisma.$disconnect();
      await close();
    },
  };
}

const BLOG = new URL('../../../sample/blog/', import.meta.url);

const EMBEDDED: PgliteTemplate = {
  name: 'blog',
  version: versionOf(
    ...readdirSync(new URL('prisma/migrations/', BLOG), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.sql'))
      .map((name) => read(`prisma/migrations/${name}`)),
    read('src/database/seed.ts'),
    readFileSync(new URL(import.meta.url), 'utf8'),
  ),
  build: (pglite) => fill(openSample(pglite)),
};

function read(path: string): string {
  return readFileSync(new URL(path, BLOG), 'utf8');
}

async function createOnServer(connections: number): Promise<OpenDatabase> {
  const { connectionString, close } = await createDatabase(SERVER_URL ?? '', 'resource_api_policy');
  await fill(openPostgres(connectionString));
  return { adapter: new PrismaPg({ connectionString, max: connections }), connectionString, close };
}

/** Migrates and seeds an empty database like the sample, and stores a copy of its rows for `reset`. */
async function fill(database: Database): Promise<void> {
  await applyMigrations(database);
  const prisma = new PrismaClient({ adapter: database.adapter });
  await seedWhenEmpty(prisma);
  for (const statement of SNAPSHOT) await prisma.$executeRawUnsafe(statement);
  await prisma.$disconnect();
}

const TABLES = ['User', 'Profile', 'Post', 'Comment', 'Tag', '_PostToTag'] as const;

/** Creates copies of the seeded rows, and a function that restores them, which is faster than another seed. */
const SNAPSHOT = [
  'CREATE SCHEMA seed',
  ...TABLES.map((table) => `CREATE TABLE seed."${table}" AS TABLE public."${table}"`),
  `CREATE FUNCTION seed.restore() RETURNS void LANGUAGE sql AS $restore$
    ${[...TABLES]
      .reverse()
      .map((table) => `DELETE FROM public."${table}";`)
      .join('\n')}
    ${TABLES.map((table) => `INSERT INTO public."${table}" TABLE seed."${table}";`).join('\n')}
    ${TABLES.filter((table) => table !== '_PostToTag')
      .map((table) => `SELECT setval(pg_get_serial_sequence('public."${table}"', 'id'), max(id)) FROM public."${table}";`)
      .join('\n')}
  $restore$`,
];

async function dump(prisma: PrismaClient): Promise<string> {
  const rows = TABLES.map((table) => `SELECT '${table}' AS "table", "${table}"::text AS "row" FROM "${table}"`);
  return JSON.stringify(await prisma.$queryRawUnsafe(`${rows.join(' UNION ALL ')} ORDER BY 1, 2`));
}
