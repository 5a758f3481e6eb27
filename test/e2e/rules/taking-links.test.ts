import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { BeforeWrite, ResourceHooks } from '../../../lib/index.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { openSchema, type OpenSchema } from '../../support/open-schema.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const MODELS = `model Person {
  id Int @id
  name String
  spouse Person? @relation("spouse", fields: [spouseId], references: [id])
  spouseId Int? @unique
  spouseOf Person? @relation("spouse")
}`;

const ROWS = `INSERT INTO "Person" (id, name, "spouseId") VALUES
  (1, 'open', 2), (2, 'open', NULL), (3, 'hidden', 4), (4, 'open', NULL), (5, 'fixed', 6), (6, 'open', NULL), (7, 'open', NULL);`;

type Write = readonly [operation: string, args: object];

/** One link from both sides: person 7 gets a spouse whom another person has. */
const TAKING: readonly (readonly [side: string, writeOf: (id: number) => Write])[] = [
  ['with the foreign key', (id: number) => ['person/update', { where: { id: 7 }, data: { spouse: { connect: { id } } } }]],
  ['with the foreign key, created', (id: number) => ['person/create', { data: { id: 7, name: 'open', spouse: { connect: { id } } } }]],
  ['without it', (id: number) => ['person/update', { where: { id }, data: { spouseOf: { connect: { id: 7 } } } }]],
];

/** The records whose updates the hook has received. */
const updated: unknown[] = [];

@ResourceHooks('Person')
class Observed {
  @BeforeWrite('update')
  note({ key }: { readonly data: unknown; readonly key: { readonly id?: unknown } }): void {
    updated.push(key.id);
  }
}

@Module({ providers: [Observed] })
class HooksModule {}

onDatabases('postgresql').describe('a link that another record loses', () => {
  onPlatforms('under row rules', (platform) => {
    let database: OpenSchema;
    let app: TestApp;
    beforeAll(async () => {
      database = await openSchema({ name: 'taking_links', models: MODELS });
      const { schema, prisma } = database;
      const isOpen = { name: { not: 'fixed' } };
      const rules = { Person: { read: { name: { not: 'hidden' } }, create: true, update: isOpen, delete: true } };
      app = await startTestApp({ platform, imports: [HooksModule], options: { schema, rules, getClient: () => prisma } });
    }, 60_000);
    afterAll(async () => {
      await app.close();
      await database.close();
    });

    async function outcomeOf([operation, args]: Write): Promise<unknown> {
      await database.prisma.$executeRawUnsafe('DELETE FROM "Person"');
      await database.prisma.$executeRawUnsafe(ROWS);
      if (operation.endsWith('create')) await database.prisma.$executeRawUnsafe('DELETE FROM "Person" WHERE id = 7');
      updated.length = 0;
      const { status, text } = await app.rpc.call(operation, args);
      // `as`: the client of a schema that the test generates has no types.
      const rows = await (database.prisma as unknown as Delegates).person.findMany({ where: { spouseId: { not: null } } });
      return [status < 300 ? 200 : status, text.includes('P2002'), Object.fromEntries(rows.map(({ id, spouseId }) => [id, spouseId]))];
    }

    interface Delegates {
      readonly person: { findMany(args: object): Promise<readonly { readonly id: number; readonly spouseId: number }[]> };
    }

    it.each(TAKING)('is an update of that record: of one that may be updated, %s', async (_, write) => {
      expect(await outcomeOf(write(2))).toEqual([200, false, { 3: 4, 5: 6, 7: 2 }]);
      expect(updated).toContain(1);
    });

    it.each(TAKING)('is refused if that record may not be updated, %s', async (_, write) => {
      expect(await outcomeOf(write(6))).toEqual([403, false, { 1: 2, 3: 4, 5: 6 }]);
    });

    it.each(TAKING)('is a unique conflict if that record may not be read, %s', async (_, write) => {
      expect(await outcomeOf(write(4))).toEqual([400, true, { 1: 2, 3: 4, 5: 6 }]);
    });
  });
});
