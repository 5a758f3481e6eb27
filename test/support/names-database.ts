import { PrismaPg } from '@prisma/adapter-pg';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PrismaClient } from './generated/names/prisma/client.js';
import { type OpenDatabase, openPglite, type PgliteTemplate } from './pglite-database.js';
import { databaseUrl, dropDatabase, withServer } from './postgres-database.js';
import { versionOf } from './template.js';

const SQL = readFileSync(new URL('prisma/names.sql', import.meta.url), 'utf8');

const TABLES = [
  ...['Account', 'Tool', 'Sensor', 'Measurement', 'Experiment', '_ExperimentToMeasurement', '_ExperimentToSensor', 'Gate'],
  ...['Note', 'Badge'],
];

/** Each to-one relation of tool 1 leads to an account of its own, and each of tool 2 to the account after that. */
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
  UPDATE "Account" SET "code" = 'B' WHERE "id" = 2;
  INSERT INTO "Note" VALUES (1, 'of nobody', NULL), (2, 'of nobody', NULL), (3, 'of 2', 'B');
  INSERT INTO "Badge" VALUES (1, 'of nobody', NULL), (2, 'of nobody', NULL), (3, 'of 2', 'B');`;

/** Deleting is quicker than `TRUNCATE` for so few rows. New rows begin at 101. */
const RESET = `CREATE FUNCTION reset_rows() RETURNS void LANGUAGE plpgsql AS $reset$ BEGIN
  ${[...TABLES]
    .reverse()
    .map((name) => `DELETE FROM "${name}";`)
    .join('\n  ')}
  ${SEED}
  ${TABLES.filter((name) => !name.startsWith('_'))
    .map((name) => `PERFORM setval(pg_get_serial_sequence('"${name}"', 'id'), 100);`)
    .join('\n  ')}
END $reset$;`;

const EMBEDDED: PgliteTemplate = {
  name: 'names',
  version: versionOf(SQL, RESET),
  build: (pglite) => pglite.exec(`${SQL}${RESET}`).then(() => undefined),
};

/** A database whose models are called as Prisma's arguments are (`prisma/names.prisma`), for one test file. */
export interface NamesDatabase {
  readonly prisma: PrismaClient;
  /** Where it is on a server. */
  readonly connectionString?: string | undefined;
  /** Brings the rows of the seed back, the sequences too. */
  readonly reset: () => Promise<void>;
  /** All that the tables hold. */
  readonly dump: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Embedded PostgreSQL, or a database of its own on the server at `TEST_DATABASE_URL`. */
export async function openNamesDatabase(): Promise<NamesDatabase> {
  const url = process.env['TEST_DATABASE_URL'];
  const { adapter, connectionString, close } = await (url ? openOnServer(url) : openPglite(EMBEDDED));
  const prisma = new PrismaClient({ adapter, transactionOptions: { maxWait: 60_000, timeout: 60_000 } });
  const reset = async (): Promise<void> => {
    await prisma.$executeRawUnsafe('SELECT reset_rows()');
  };
  await reset();
  return {
    prisma,
    connectionString,
    reset,
    dump: () => dump(prisma),
    close: async () => {
      await prisma.$disconnect();
      await close();
    },
  };
}

async function openOnServer(url: string): Promise<OpenDatabase> {
  const name = `resource_api_names_${randomUUID().slice(0, 8)}`;
  await withServer(url, (execute) => execute(`CREATE DATABASE "${name}"`));
  const connectionString = databaseUrl(url, name);
  await withServer(connectionString, (execute) => execute(`${SQL}${RESET}`));
  return {
    adapter: new PrismaPg({ connectionString }),
    connectionString,
    close: () => dropDatabase(url, name),
  };
}

/** All that the tables hold, as one text. */
export async function dump(client: Pick<PrismaClient, '$queryRawUnsafe'>): Promise<string> {
  const tables = TABLES.map((name) => `(SELECT json_agg(to_json(t) ORDER BY to_json(t)::text)::text FROM "${name}" t) AS "${name}"`);
  return JSON.stringify(await client.$queryRawUnsafe(`SELECT ${tables.join(', ')}`));
}
