import { it } from '@jest/globals';
import type { Pool } from 'pg';
import type { StatementLog } from './statement-log.js';

/** Whether the tests of both styles read in SQL: `npm run test:sql-reads`. */
export function readsInSql(): boolean {
  return process.env['TEST_SQL_READS'] !== undefined;
}

/** `it` where Prisma answers reads, `it.skip` where they are SQL reads: for tests of the statements that Prisma sends. */
export const itByPrisma = readsInSql() ? it.skip : it;

/** In SQL, the write of one record is in a `WITH`, of which one row is required. */
const BEGINNING = readsInSql() && process.env['TEST_DATABASE_URL'] !== undefined ? String.raw`WITH "w" AS \(` : '';

/** The text of a statement that writes one record, as this run makes it. */
export function writeOfOne(pattern: string, flags = ''): RegExp {
  return new RegExp(`^${BEGINNING}${pattern}`, flags);
}

/** The options of `withSql`: a separate pool and writes on a server, and none on PGlite, which has one connection. */
export interface SqlReadsOptions {
  readonly pool?: Pool;
  readonly writes?: boolean;
}

/** The texts of the statements that a call of `query` sends together. */
export function textsAsked(args: readonly unknown[]): string[] {
  const [first] = args as readonly [string | { readonly text: string; readonly steps?: readonly { readonly text: string }[] }];
  return typeof first === 'string' ? [first] : (first.steps ?? [first]).map(({ text }) => text);
}

/** @param log receives the statements of the reads, beside those of Prisma */
export async function sqlReadsOn(connectionString: string | undefined, log: StatementLog): Promise<SqlReadsOptions> {
  if (connectionString === undefined) return {};
  // Loaded where it is used: most runs read by Prisma.
  const { Pool } = await import('pg');
  const pool = new Pool({ connectionString, max: 5 });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
    // One function for all overloads of `query`.
    client.query = ((...args: readonly unknown[]) => {
      for (const text of textsAsked(args)) log.add(text);
      return query(...args);
    }) as never;
  });
  return { pool, writes: true };
}
