import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { applyMigrations } from '../../../sample/blog/src/database/apply-migrations.js';
import { type Database, openPglite } from '../../../sample/blog/src/database/open-database.js';
import { seedWhenEmpty } from '../../../sample/blog/src/database/seed.js';
import { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';
import { sample } from '../../support/sample.js';

const INIT = '20260105090000_init';
const MIGRATIONS = new URL('../../../sample/blog/prisma/migrations/', import.meta.url);

sample.omitted.describe("the blog's database", () => {
  let database: Database;

  beforeAll(async () => {
    database = openPglite();
    await execute('SELECT 1');
  });
  beforeEach(() => execute('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));
  afterAll(() => database.close());

  it('records its migrations like Prisma, and applies each once', async () => {
    await applyMigrations(database);
    await applyMigrations(database);

    const migrations = readdirSync(MIGRATIONS)
      .filter((name) => name !== 'migration_lock.toml')
      .sort();
    const recorded = 'SELECT migration_name, checksum, applied_steps_count, finished_at IS NULL AS unfinished FROM _prisma_migrations';
    expect(await query(`${recorded} ORDER BY migration_name`)).toEqual(
      migrations.map((name) => ({ migration_name: name, checksum: checksumOf(name), applied_steps_count: 1, unfinished: false })),
    );
  });

  it('seeds the same rows every time, and only an empty blog', async () => {
    await applyMigrations(database);
    const prisma = new PrismaClient({ adapter: database.adapter });
    await seedWhenEmpty(prisma);
    const first = await prisma.post.findFirstOrThrow({ where: { id: 10 }, include: { tags: { orderBy: { id: 'asc' } }, comments: true } });
    await prisma.post.update({ where: { id: 10 }, data: { title: 'Changed' } });
    await seedWhenEmpty(prisma);

    expect(first).toMatchObject({ slug: 'the-history-of-types', authorId: 2, published: true, viewCount: 4190n });
    expect(first.comments).toHaveLength(5);
    expect(first.tags.length).toBeGreaterThan(0);
    expect(await prisma.post.findUnique({ where: { id: 10 } })).toMatchObject({ title: 'Changed' });
    await prisma.$disconnect();
  });

  it('is not migrated if it has tables of another application', async () => {
    await execute('CREATE TABLE invoices (id int)');
    await expect(applyMigrations(database)).rejects.toThrow('holds tables already');
    expect(await query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([{ tablename: 'invoices' }]);
  });

  it('is not migrated after an unfinished migration of Prisma', async () => {
    await applyMigrations(database);
    await execute(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '${INIT}'`);
    await expect(applyMigrations(database)).rejects.toThrow(`Migration ${INIT} was left unfinished`);
  });

  async function execute(script: string): Promise<void> {
    await database.transaction(async (session) => {
      await session.execute(script);
    });
  }

  async function query(sql: string): Promise<readonly unknown[]> {
    let rows: readonly unknown[] = [];
    await database.transaction(async (session) => {
      rows = await session.query(sql);
    });
    return rows;
  }
});

/** As Prisma computes it. */
function checksumOf(migration: string): string {
  return createHash('sha256')
    .update(readFileSync(new URL(`${migration}/migration.sql`, MIGRATIONS)))
    .digest('hex');
}
