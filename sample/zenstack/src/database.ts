import { PGlite } from '@electric-sql/pglite';
import { ZenStackClient } from '@zenstackhq/orm';
import { PolicyPlugin } from '@zenstackhq/plugin-policy';
import { PGliteDialect } from 'kysely';
import { readFile } from 'node:fs/promises';
import { schema } from './generated/schema.js';
import { seed } from './seed.js';

/** An embedded PostgreSQL, in memory. */
const pglite = new PGlite();

/** A client without policies: for migrations, seeds, and to look up the caller. */
export const owner = new ZenStackClient(schema, { dialect: new PGliteDialect({ pglite }) });

/** A client that enforces the policies of `schema.zmodel`, without a caller. */
const policed = owner.$use(new PolicyPlugin());

export interface Caller {
  readonly id: number;
  readonly role: 'READER' | 'AUTHOR' | 'ADMIN';
}

/** The data client of one request. */
export function clientOf(caller: Caller | undefined): object {
  return policed.$setAuth(caller);
}

export async function openDatabase(): Promise<void> {
  await pglite.exec(await readFile(new URL('../tables.sql', import.meta.url), 'utf8'));
  await seed(owner);
}

export async function closeDatabase(): Promise<void> {
  await pglite.close();
}
