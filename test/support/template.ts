import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type AdapterFactory } from './logged-adapter.js';
import { PrismaClient } from './generated/prisma/client.js';
import { seed } from './seed.js';

const SCHEMA = read('prisma/database.sql');
const SNAPSHOT = read('prisma/snapshot.sql');

/** Names the template's content: a database made from it is up to date exactly when this has not changed. */
export const TEMPLATE_VERSION = versionOf(SCHEMA, SNAPSHOT, read('seed.ts'));

/** An empty database as its driver offers it. */
export interface EmptyDatabase {
  readonly adapter: AdapterFactory;
  /** Runs a script of several statements. */
  readonly execute: (script: string) => Promise<unknown>;
}

/** Creates the tables in an empty database, seeds them, and keeps the copy that `reset()` brings back. */
export async function buildTemplate({ adapter, execute }: EmptyDatabase): Promise<void> {
  await execute(SCHEMA);
  const prisma = new PrismaClient({ adapter });
  try {
    await seed(prisma);
  } finally {
    await prisma.$disconnect();
  }
  await execute(SNAPSHOT);
  await execute('SELECT seed.snapshot()');
}

/** A short name for contents, which changes with them. */
export function versionOf(...contents: readonly string[]): string {
  return createHash('sha256').update(contents.join('\0')).digest('hex').slice(0, 12);
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
