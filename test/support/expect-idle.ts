import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from './database.js';

const PAUSE = 50;

/**
 * Expects that the database ends all statements after their clients have disconnected.
 *
 * @param within milliseconds that a statement may take to end
 */
export async function expectIdle({ prisma }: Pick<TestDatabase, 'prisma'>, within = 2000): Promise<void> {
  let active: unknown[] = [];
  for (let tries = 0; tries < within / PAUSE; tries++) {
    active = await prisma.$queryRawUnsafe(
      `SELECT query, (now() - query_start)::text AS since FROM pg_stat_activity
       WHERE state = 'active' AND datname = current_database() AND pid <> pg_backend_pid()`,
    );
    if (active.length === 0) return;
    await sleep(PAUSE);
  }
  expect(active).toEqual([]);
}
