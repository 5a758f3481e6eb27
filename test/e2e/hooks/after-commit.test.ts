import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { Client } from 'pg';
import { AfterCommit, type AfterCommitOf, AfterWrite, ResourceHooks } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const told: string[] = [];

@ResourceHooks('Tag')
class TagHooks {
  /** The longer a transaction is open, the more of them are hit. */
  @AfterWrite()
  async wait(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 3));
  }

  @AfterCommit('create')
  committed({ rows }: AfterCommitOf<PrismaClient, 'Tag', unknown, 'create'>): void {
    told.push(...rows.map(({ name }) => name));
  }
}

@Module({ providers: [TagHooks] })
class HostModule {}

onDatabases('postgresql-server').describe('writes whose connections are killed', () => {
  let database: TestDatabase;
  let app: TestApp;
  let killer: Client;
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'fastify', database, imports: [HostModule] });
    killer = new Client({ connectionString: database.connectionString });
    await killer.connect();
  });
  afterAll(async () => {
    await killer.end();
    await app.close();
    await database.close();
  });

  it('are told after the commit only where they are stored', async () => {
    const count = sample.choose(100, 1_000);
    const answered: string[] = [];
    let next = 0;
    const write = async (): Promise<void> => {
      for (let index = next++; index < count; index = next++) {
        const name = `tag ${index}`;
        const { status } = await app.rpc.call('tag/create', { data: { name } });
        if (status === 201) answered.push(name);
      }
    };
    const writing = Promise.all(Array.from({ length: 6 }, write));
    let isOver = false;
    const kill = async (): Promise<number> => {
      let killed = 0;
      while (!isOver) {
        const { rowCount } = await killer.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL ORDER BY random() LIMIT 1`,
        );
        killed += rowCount ?? 0;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return killed;
    };
    const killing = kill();
    await writing;
    isOver = true;
    expect(await killing).toBeGreaterThan(0);

    const stored = new Set((await readNames(database)).filter((name) => name.startsWith('tag ')));
    expect(told.filter((name) => !stored.has(name))).toEqual([]);
    expect(answered.filter((name) => !stored.has(name))).toEqual([]);
    // Nobody is told twice, and whoever was answered was told.
    expect(new Set(told).size).toBe(told.length);
    expect(answered.filter((name) => !told.includes(name))).toEqual([]);
    expect([stored.size < count, told.length > 0]).toEqual([true, true]);
  }, 600_000);
});

async function readNames({ prisma }: TestDatabase): Promise<readonly string[]> {
  for (let left = 20; ; left--) {
    try {
      return (await prisma.tag.findMany()).map(({ name }) => name);
    } catch (error) {
      // A connection of the pool that was killed.
      if (left === 0) throw error;
    }
  }
}
