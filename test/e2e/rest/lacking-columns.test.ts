import { LogLines } from '../../support/log-lines.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const log = new LogLines();

onPlatforms('columns that are missing in the schema', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  const execute = (sql: string) => database.prisma.$executeRawUnsafe(sql);

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, logger: log });
  }, 60_000);
  beforeEach(async () => {
    await database.reset();
    log.clear();
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  onDatabases('postgresql').it('make a write a 500 if the database requires them', async () => {
    await execute(`ALTER TABLE "Tag" ADD COLUMN "tenant" text NOT NULL DEFAULT 'x'`);
    await execute(`ALTER TABLE "Tag" ALTER COLUMN "tenant" DROP DEFAULT`);
    try {
      const rest = await app.rest.post('/tag', { data: { type: 'tag', attributes: { name: 'new' } } });
      expect([rest.status, rest.errors[0]?.code]).toEqual([500, 'unknown-error']);
      const rpc = await app.rpc.call('tag/create', { data: { name: 'new' } });
      expect(rpc.status).toBe(500);
      const nested = await app.rpc.call('post/update', { where: { id: 1 }, data: { tags: { create: { name: 'new' } } } });
      expect(nested.status).toBe(500);
    } finally {
      await execute(`ALTER TABLE "Tag" DROP COLUMN "tenant"`);
    }
    const column = 'null value in column "tenant" of relation "Tag"';
    expect(log.errors).toHaveLength(3);
    for (const [index, request] of ['POST /api/rest/tag', 'POST /api/rpc/tag/create', 'PATCH /api/rpc/post/update'].entries()) {
      expect(log.errors[index]).toMatch(new RegExp(`^unknown-error [0-9a-f-]{36} ${request}: `));
      expect(log.errors[index]).toContain(column);
    }
  });

  onDatabases('postgresql').it('differ from an optional field that the database requires: null is then a 400', async () => {
    await execute(`ALTER TABLE "Category" ALTER COLUMN "parentId" SET DEFAULT 1`);
    await execute(`UPDATE "Category" SET "parentId" = 1 WHERE "parentId" IS NULL`);
    await execute(`ALTER TABLE "Category" ALTER COLUMN "parentId" SET NOT NULL`);
    try {
      const { status, errors } = await app.rest.patch('/category/2', { data: { type: 'category', id: 2, attributes: { parentId: null } } });
      expect([status, errors[0]?.code, errors[0]?.detail]).toEqual([400, 'invalid-value', 'A required value is missing.']);
    } finally {
      await execute(`ALTER TABLE "Category" ALTER COLUMN "parentId" DROP NOT NULL`);
      await execute(`ALTER TABLE "Category" ALTER COLUMN "parentId" DROP DEFAULT`);
    }
    expect(log.errors).toEqual([]);
  });
});
