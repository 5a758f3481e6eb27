import { PrismaPg } from '@prisma/adapter-pg';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PrismaClient } from './generated/tasks/prisma/client.js';
import { type OpenDatabase, openPglite, type PgliteTemplate } from './pglite-database.js';
import { databaseUrl, dropDatabase, withServer } from './postgres-database.js';
import { versionOf } from './template.js';

const SQL = readFileSync(new URL('prisma/tasks.sql', import.meta.url), 'utf8');

const TABLES = ['Person', 'Task', 'Comment', 'Reaction', 'Attachment', 'Reminder', 'Label', '_LabelToTask', 'Note'];

/** Task 1 has two of everything; task 2 has the same of others; the code of task 3 is null, as is that of two attachments. */
const SEED = `
  INSERT INTO "Person" VALUES (1, 'Ada', NULL), (2, 'Bob', NULL), (3, 'Cy', NULL);
  INSERT INTO "Task" ("id", "title", "code", "ownerId", "reviewerId", "parentId") VALUES
    (1, 'one', 'A', 1, 2, NULL), (2, 'two', 'B', 2, 1, NULL), (3, 'three', NULL, 1, NULL, NULL), (4, 'four', NULL, 2, NULL, 1), (5, 'five', NULL, 1, NULL, 4);
  INSERT INTO "Comment" VALUES (1, 'c1', NULL, 1), (2, 'c2', NULL, 1), (3, 'c3', NULL, 2), (4, 'c4', NULL, 4);
  INSERT INTO "Reaction" VALUES (1, 'r1', NULL, 1), (2, 'r2', NULL, 2), (3, 'r3', NULL, 3), (4, 'r4', NULL, 4);
  INSERT INTO "Attachment" VALUES (1, 'a1', NULL, 'A'), (2, 'a2', NULL, 'B'), (3, 'a3', NULL, NULL), (4, 'a4', NULL, NULL);
  INSERT INTO "Reminder" VALUES (1, NULL, 1), (2, NULL, 2), (3, NULL, NULL);
  INSERT INTO "Label" VALUES (1, 'l1', NULL), (2, 'l2', NULL), (3, 'l3', NULL);
  INSERT INTO "_LabelToTask" VALUES (1, 1), (2, 1), (2, 2), (3, 2);
  INSERT INTO "Note" VALUES (1, 'n1', NULL, 1), (2, 'n2', NULL, 2), (3, 'n3', NULL, NULL);`;

/** New rows begin at 101. */
const RESET = `CREATE FUNCTION reset_rows() RETURNS void LANGUAGE plpgsql AS $reset$ BEGIN
  TRUNCATE ${TABLES.map((name) => `"${name}"`).join(', ')};
  ${SEED}
  ${TABLES.filter((name) => !name.startsWith('_'))
    .map((name) => `PERFORM setval(pg_get_serial_sequence('"${name}"', 'id'), 100);`)
    .join('\n  ')}
END $reset$;`;

const EMBEDDED: PgliteTemplate = {
  name: 'tasks',
  version: versionOf(SQL, RESET),
  build: (pglite) => pglite.exec(`${SQL}${RESET}`).then(() => undefined),
};

/** A database whose records are kept when they are deleted (`prisma/tasks.prisma`), for one test file. */
export interface TasksDatabase {
  readonly prisma: PrismaClient;
  /** Brings the rows of the seed back, the sequences too. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Embedded PostgreSQL, or a database of its own on the server at `TEST_DATABASE_URL`. */
export async function openTasksDatabase(): Promise<TasksDatabase> {
  const url = process.env['TEST_DATABASE_URL'];
  const { adapter, close } = await (url ? openOnServer(url) : openPglite(EMBEDDED));
  const prisma = new PrismaClient({ adapter, transactionOptions: { maxWait: 60_000, timeout: 60_000 } });
  const reset = async (): Promise<void> => {
    await prisma.$executeRawUnsafe('SELECT reset_rows()');
  };
  await reset();
  return {
    prisma,
    reset,
    close: async () => {
      await prisma.$disconnect();
      await close();
    },
  };
}

async function openOnServer(url: string): Promise<OpenDatabase> {
  const name = `resource_api_tasks_${randomUUID().slice(0, 8)}`;
  await withServer(url, (execute) => execute(`CREATE DATABASE "${name}"`));
  const connectionString = databaseUrl(url, name);
  await withServer(connectionString, (execute) => execute(`${SQL}${RESET}`));
  return {
    adapter: new PrismaPg({ connectionString }),
    connectionString,
    close: () => dropDatabase(url, name),
  };
}
