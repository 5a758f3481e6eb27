import { PrismaClient } from './generated/values/prisma/client.js';
import { openScripted, type ScriptedDatabase } from './scripted-database.js';

const SEED = `
  INSERT INTO "Holder" VALUES (1, 'one'), (2, 'two');
  INSERT INTO "Value" ("id", "holderId") VALUES (1, 1), (2, 2);`;

/** A database of columns that change, round or cannot represent values (`prisma/values.prisma`), for one test file. */
export type ValuesDatabase = ScriptedDatabase<PrismaClient>;

export function openValuesDatabase(): Promise<ValuesDatabase> {
  return openScripted({ name: 'values', tables: ['Holder', 'Value'], seed: SEED }, (options) => new PrismaClient(options));
}
