import { PGlite } from '@electric-sql/pglite';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Prisma } from '../generated/prisma/client.js';

/** A database as the blog needs it. */
export interface Database {
  /** For the Prisma client. */
  readonly adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>;
  /** For migrations: runs `work` in one transaction. */
  readonly transaction: (work: (session: SqlSession) => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface SqlSession {
  readonly query: <Row>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  /** Runs several statements at once. */
  readonly execute: (script: string) => Promise<unknown>;
}

/** Opens an embedded PostgreSQL in this process and in memory. It returns at once, and queries wait until PostgreSQL has booted. */
export function openPglite(pglite = new PGlite()): Database {
  return {
    adapter: new PrismaPGlite(pglite),
    transaction: (work) =>
      pglite.transaction((transaction) =>
        work({
          query: async <Row>(sql: string, values?: readonly unknown[]) => (await transaction.query<Row>(sql, values && [...values])).rows,
          execute: (script) => transaction.exec(script),
        }),
      ),
    close: () => pglite.close(),
  };
}

/** A PostgreSQL server. The first query connects. */
export function openPostgres(connectionString: string): Database {
  return {
    // PostgreSQL ends statements after this timeout, so that no read needs a transaction to set one.
    adapter: new PrismaPg({ connectionString, statement_timeout: 5000 }),
    transaction: (work) => inPostgresTransaction(connectionString, work),
    close: () => Promise.resolve(),
  };
}

async function inPostgresTransaction(connectionString: string, work: (session: SqlSession) => Promise<void>): Promise<void> {
  const connection = await new PrismaPg({ connectionString, max: 1 }).connect();
  const driver = connection.underlyingDriver();
  const session: SqlSession = {
    query: async <Row>(sql: string, values?: readonly unknown[]) => (await driver.query(sql, values && [...values])).rows as Row[],
    execute: (script) => driver.query(script),
  };
  try {
    await session.execute('BEGIN');
    await work(session);
    await session.execute('COMMIT');
  } finally {
    // Closing the one connection rolls back what was not committed.
    await connection.dispose();
  }
}
