import { PrismaLibSql } from '@prisma/adapter-libsql';
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrismaClient } from './generated/prisma/client.js';
import { seedWhenEmpty } from './seed.js';

const MIGRATIONS = new URL('../prisma/migrations/', import.meta.url);

/** A file that `prisma migrate deploy` has made. Without it the blog lives in a temporary one. */
const OWN_URL = process.env['DATABASE_URL'] ?? '';

const folder = OWN_URL === '' ? mkdtempSync(join(tmpdir(), 'sample-rules-')) : undefined;

// Without `bigint`, the driver fails on integers beyond 2^53.
const adapter = new PrismaLibSql({ url: folder === undefined ? OWN_URL : `file:${join(folder, 'blog.db')}`, intMode: 'bigint' });

/** The data client of every request: the rules bind the API, and nothing else that uses it. */
export const prisma = new PrismaClient({ adapter });

/** For people. */
export const DATABASE_KIND = folder === undefined ? 'SQLite at DATABASE_URL' : 'SQLite in a temporary file';

export async function openDatabase(): Promise<void> {
  if (folder !== undefined) await applyMigrations();
  await seedWhenEmpty(prisma);
}

export async function closeDatabase(): Promise<void> {
  await prisma.$disconnect();
  if (folder !== undefined) await rm(folder, { recursive: true });
}

/** What `prisma migrate deploy` does for a file of your own. */
async function applyMigrations(): Promise<void> {
  const connection = await adapter.connect();
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of names.sort()) await connection.executeScript(await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8'));
  await connection.dispose();
}
