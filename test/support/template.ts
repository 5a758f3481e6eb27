import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AdapterFactory } from './logged-adapter.js';
import { PrismaClient } from './generated/prisma/client.js';
import { seed } from './seed.js';

/** The tables of the tests' schema, in PostgreSQL's SQL. */
export const DATABASE_SQL = read('prisma/database.sql');
const SNAPSHOT = read('prisma/snapshot.sql');

/** Names the template's content: a database made from it is up to date exactly when this has not changed. */
export const TEMPLATE_VERSION = versionOf(DATABASE_SQL, SNAPSHOT, read('seed.ts'));

/** An empty database as its driver offers it. */
export interface EmptyDatabase {
  readonly adapter: AdapterFactory;
  /** Runs a script of several statements. */
  readonly execute: (script: string) => Promise<unknown>;
}

/** Creates the tables in an empty database, seeds them, and keeps the copy that `reset()` brings back. */
export async function buildTemplate({ adapter, execute }: EmptyDatabase): Promise<void> {
  await execute(DATABASE_SQL);
  await seedEmpty(adapter);
  await execute(SNAPSHOT);
  await execute('SELECT seed.snapshot()');
}

/** Fills the empty tables of a database. */
export async function seedEmpty(adapter: AdapterFactory): Promise<void> {
  const prisma = new PrismaClient({ adapter });
  try {
    await seed(prisma);
  } finally {
    await prisma.$disconnect();
  }
}

/** A short name for contents, which changes with them. */
export function versionOf(...contents: readonly string[]): string {
  return createHash('sha256').update(contents.join('\0')).digest('hex').slice(0, 12);
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
