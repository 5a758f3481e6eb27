import { PrismaClient } from './generated/tasks/prisma/client.js';
import { openScripted, type ScriptedDatabase } from './scripted-database.js';

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

/** A database whose records are kept when they are deleted (`prisma/tasks.prisma`), for one test file. */
export type TasksDatabase = ScriptedDatabase<PrismaClient>;

export function openTasksDatabase(): Promise<TasksDatabase> {
  return openScripted({ name: 'tasks', tables: TABLES, seed: SEED }, (options) => new PrismaClient(options));
}
