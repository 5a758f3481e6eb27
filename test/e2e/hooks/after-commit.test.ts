import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { Client } from 'pg';
import { AfterCommit, type AfterCommitOf, AfterWrite, ResourceHooks } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const events: string[] = [];

@ResourceHooks('Tag')
class TagHooks {
  /** Keeps transactions open for longer, so that more of them lose their connection. */
  @AfterWrite()
  async wait(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 3));
  }

  @AfterCommit('create')
  committed({ rows }: AfterCommitOf<PrismaClient, 'Tag', unknown, 'create'>): void {
    events.push(...rows.map(({ name }) => name));
  }
}

@Module({ providers: [TagHooks] })
class ApplicationModule {}

onDatabases('postgresql-server').describe('writes whose connections are killed', () => {
  let database: TestDatabase;
  let app: TestApp;
  let killer: Client;
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'fastify', database, imports: [ApplicationModule] });
    killer = new Client({ connectionString: database.connectionString });
    await killer.connect();
  });
  afterAll(async () => {
    await killer.end();
    await app.close();
    await database.close();
  });

  it('run @AfterCommit exactly once for each answered row, and never for a row that is not stored', async () => {
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
    expect(events.filter((name) => !stored.has(name))).toEqual([]);
    expect(answered.filter((name) => !stored.has(name))).toEqual([]);
    // No row is notified twice, and each row that was answered with 201 is notified.
    expect(new Set(events).size).toBe(events.length);
    expect(answered.filter((name) => !events.includes(name))).toEqual([]);
    expect([stored.size < count, events.length > 0]).toEqual([true, true]);
  }, 600_000);
});

async function readNames({ prisma }: TestDatabase): Promise<readonly string[]> {
  for (let left = 20; ; left--) {
    try {
      return (await prisma.tag.findMany()).map(({ name }) => name);
    } catch (error) {
      // The pool returned a connection that was killed.
      if (left === 0) throw error;
    }
  }
}
