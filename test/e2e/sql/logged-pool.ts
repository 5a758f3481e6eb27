import { Pool, type PoolConfig } from 'pg';
import { type DeclinedSqlRead, type ResourceApiOptions, withSql } from '../../../lib/index.js';
import type { TestDatabase } from '../../support/database.js';
import { textsAsked } from '../../support/sql-reads.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** An application whose statements run on a separate pool. */
export interface ServedOnPool {
  readonly app: TestApp;
  readonly trips: string[][];
  readonly declined: DeclinedSqlRead[];
  readonly pool: Pool;
  /** Holds the next requests until all have arrived, so that they continue in one tick of the event loop. */
  readonly gather: (requests: number) => void;
}

interface Serving {
  readonly config: PoolConfig;
  readonly options?: Partial<ResourceApiOptions>;
  readonly writes?: boolean;
}

export async function serveOnPool(database: TestDatabase, { config, options = {}, writes = false }: Serving): Promise<ServedOnPool> {
  const { prisma, connectionString } = database;
  const pool = new Pool({ connectionString, max: 2, ...config });
  const trips = logged(pool);
  const declined: DeclinedSqlRead[] = [];
  const { gate, gather } = gatedBy();
  const client = withSql(prisma, { pool, writes, onDecline: (one) => declined.push(one) });
  const app = await startTestApp({ platform: 'fastify', database, options: { getClient: () => gate(client), ...options } });
  // The check of the session's settings at boot.
  trips.length = 0;
  return { app, trips, declined, pool, gather };
}

/** Records the statements of each round trip of a pool's connections. */
export function logged(pool: Pool): string[][] {
  const trips: string[][] = [];
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
    // One function for all overloads of `query`.
    client.query = ((...args: readonly unknown[]) => {
      trips.push(textsAsked(args));
      return query(...args);
    }) as never;
  });
  return trips;
}

/** Returns a gate that is open, or that opens once the gathered number of requests has arrived. */
function gatedBy(): { readonly gate: <Passed>(passed: Passed) => Passed | Promise<Passed>; readonly gather: ServedOnPool['gather'] } {
  let open: (() => void)[] = [];
  let missing = 0;
  return {
    gather: (requests) => (missing = requests),
    gate: (passed) => {
      if (missing === 0) return passed;
      return new Promise((resolve) => {
        open.push(() => {
          resolve(passed);
        });
        missing -= 1;
        if (missing > 0) return;
        for (const pass of open) pass();
        open = [];
      });
    },
  };
}
