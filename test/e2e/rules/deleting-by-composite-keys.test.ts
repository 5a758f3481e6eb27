import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onDatabases } from '../../support/databases/this-database.js';
import { openSchema, type OpenSchema } from '../../support/open-schema.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

/** The relation has no `onDelete`. Prisma's default is Restrict, because one field of the key is required. */
const MODELS = `model Folder {
  tenantId Int
  id Int
  docs Doc[]
  @@id([tenantId, id])
}
model Doc {
  id Int @id
  name String?
  tenantId Int
  folderId Int?
  folder Folder? @relation(fields: [tenantId, folderId], references: [tenantId, id])
}`;

const SQL = `ALTER TABLE "Doc" ADD FOREIGN KEY ("tenantId", "folderId") REFERENCES "Folder" ("tenantId", id) ON DELETE RESTRICT;
INSERT INTO "Folder" ("tenantId", id) VALUES (1, 1);
INSERT INTO "Doc" (id, "tenantId", "folderId") VALUES (1, 1, 1);`;

const RULE = { read: { tenantId: 1 }, create: true, update: true, delete: true };

onDatabases('postgresql').describe('a nested delete through a key of a required and an optional field', () => {
  onPlatforms('by RPC', (platform) => {
    let database: OpenSchema;
    const apps = new Map<string, TestApp>();
    beforeAll(async () => {
      database = await openSchema({ name: 'composite_deletes', models: MODELS, sql: SQL });
      const { schema, prisma } = database;
      for (const [name, rules] of Object.entries({ 'with rules': { rules: { Doc: RULE, Folder: RULE } }, 'without rules': {} }))
        apps.set(name, await startTestApp({ platform, options: { ...rules, schema, getClient: () => prisma } }));
    }, 60_000);
    afterAll(async () => {
      for (const app of apps.values()) await app.close();
      await database.close();
    });

    it.each(['with rules', 'without rules'])('is refused by the database, %s', async (name) => {
      const data = { name: 'x', folder: { delete: true } };
      const response = await apps.get(name)?.rpc.call('doc/update', { where: { id: 1 }, data });
      expect(response?.status).toBe(400);
      const stored = await apps.get('without rules')?.rpc.call('doc/findMany', { select: { folderId: true, name: true } });
      expect(stored?.data).toEqual([{ folderId: 1, name: null }]);
    });
  });
});
