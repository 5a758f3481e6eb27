import { dumpOf } from './dump-of.js';
import { PrismaClient } from './generated/names/prisma/client.js';
import { openScripted, type ScriptedDatabase } from './scripted-database.js';

/** All its tables. */
export const NAMES_TABLES = [
  ...['Account', 'Tool', 'Sensor', 'Measurement', 'Experiment', '_ExperimentToMeasurement', '_ExperimentToSensor', 'Gate'],
  ...['Choice', 'Note', 'Badge'],
];

/** Each to-one relation of tool 1 references another account, and each of tool 2 the account after that. */
const SEED = `
  INSERT INTO "Account" SELECT n, 'account ' || n, CASE n % 3 WHEN 0 THEN 'ADMIN' ELSE 'USER' END FROM generate_series(1, 12) n;
  INSERT INTO "Tool" ("id", "name", "delete", "isNot", "isId", "dataId", "setId", "createId", "updateId", "connectId", "whereId", "selectId", "someId")
    VALUES (1, 'one', 'gone', 'no', 1, 2, 3, 4, 5, 6, 7, 8, 9), (2, 'two', NULL, NULL, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  INSERT INTO "Tool" ("id", "name", "delete", "isNot") VALUES (3, 'three', 'x', 'y');
  INSERT INTO "Sensor" VALUES (1, 's1', '{"set": 1}', 1, 1), (2, 's2', NULL, 2, 2), (3, 's3', NULL, NULL, NULL);
  INSERT INTO "Measurement" VALUES (1, 10, 1), (2, 20, 1), (3, 30, 2), (4, 40, NULL);
  INSERT INTO "Experiment" VALUES (1, 'e1'), (2, 'e2');
  INSERT INTO "_ExperimentToMeasurement" VALUES (1, 1), (1, 2), (2, 3);
  INSERT INTO "_ExperimentToSensor" VALUES (1, 1), (2, 2);
  INSERT INTO "Gate" VALUES (1, 'a', 1, 1), (2, 'b', 2, 2);
  INSERT INTO "Choice" VALUES (1, 1, 'a', 1), (2, 2, 'b', 2), (3, NULL, NULL, 3), (4, 1, NULL, NULL);
  UPDATE "Account" SET "code" = 'B' WHERE "id" = 2;
  INSERT INTO "Note" VALUES (1, 'of nobody', NULL), (2, 'of nobody', NULL), (3, 'of 2', 'B');
  INSERT INTO "Badge" VALUES (1, 'of nobody', NULL), (2, 'of nobody', NULL), (3, 'of 2', 'B');`;

/** A database whose models are called as Prisma's arguments are (`prisma/names.prisma`), for one test file. */
export interface NamesDatabase extends ScriptedDatabase<PrismaClient> {
  /** All that the tables hold. */
  readonly dump: () => Promise<string>;
}

export async function openNamesDatabase(): Promise<NamesDatabase> {
  const script = { name: 'names', tables: NAMES_TABLES, seed: SEED };
  const database = await openScripted(script, (options) => new PrismaClient(options));
  return { ...database, dump: () => dump(database.prisma) };
}

/** All that the tables hold, as one text. */
export function dump(client: Pick<PrismaClient, '$queryRawUnsafe'>): Promise<string> {
  return dumpOf(client, NAMES_TABLES);
}
