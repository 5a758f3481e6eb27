import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Database, SqlSession } from './open-database.js';

const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** The lock that `prisma migrate` takes, so that two of us, or one of us and Prisma, wait for each other. */
const PRISMA_LOCK = 72_707_369;

/** Prisma's own table, as Prisma creates it. */
const HISTORY_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/**
 * Does what `prisma migrate deploy` does, without its engine, so that the blog starts with `npm start` alone: applies the migrations of
 * `prisma/migrations` that are not in the database yet, in order, all or none, and records them in Prisma's table. Both may be used
 * on one database.
 *
 * @throws when the database has tables of another application, or a migration that Prisma left unfinished
 */
export async function applyMigrations(database: Database): Promise<void> {
  await database.transaction(async (session) => {
    await session.query(`SELECT pg_advisory_xact_lock(${PRISMA_LOCK})::text`);
    await refuseForeignDatabase(session);
    await session.execute(HISTORY_TABLE);
    const applied = await readHistory(session);
    for (const name of await listMigrations()) {
      if (!applied.has(name)) await applyMigration(session, name);
    }
  });
}

async function refuseForeignDatabase(session: SqlSession): Promise<void> {
  const tables = await session.query<{ name: string }>('SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()');
  if (tables.length > 0 && !tables.some(({ name }) => name === '_prisma_migrations')) {
    throw new Error('The database at DATABASE_URL holds tables already, but no migrations of this blog. Name an empty database.');
  }
}

async function readHistory(session: SqlSession): Promise<ReadonlySet<string>> {
  const rows = await session.query<{ name: string; finished: boolean }>(
    'SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const unfinished = rows.find(({ finished }) => !finished);
  if (unfinished) throw new Error(`Migration ${unfinished.name} was left unfinished. Settle it with 'prisma migrate resolve'.`);
  return new Set(rows.map(({ name }) => name));
}

async function listMigrations(): Promise<readonly string[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function applyMigration(session: SqlSession, name: string): Promise<void> {
  const script = await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8');
  const checksum = createHash('sha256').update(script).digest('hex');
  await session.execute(script);
  await session.query(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)',
    [randomUUID(), checksum, name],
  );
}
