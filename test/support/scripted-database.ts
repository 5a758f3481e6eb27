import { PrismaPg } from '@prisma/adapter-pg';
import { readFileSync } from 'node:fs';
import type { AdapterFactory } from './logged-adapter.js';
import { type OpenDatabase, openPglite } from './pglite-database.js';
import { createDatabase, withServer } from './postgres-database.js';
import { versionOf } from './template.js';

/** A schema, and its rows. */
export interface DatabaseScript {
  /** Of `prisma/<name>.sql`, which makes the tables, unless `sql` does. */
  readonly name: string;
  readonly sql?: string;
  /** Each after those that it refers to. */
  readonly tables: readonly string[];
  /** The statements that fill empty tables. */
  readonly seed: string;
}

/** What is needed of the client that `prisma generate` makes of the schema. */
interface GeneratedClient {
  $executeRawUnsafe(sql: string): PromiseLike<number>;
  $disconnect(): Promise<void>;
}

/** A database for one test file. */
export interface ScriptedDatabase<Client> {
  readonly prisma: Client;
  /** Where it is on a server. */
  readonly connectionString?: string | undefined;
  /** Brings the rows of the seed back, the sequences too. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Options of a client whose transactions outlast a busy machine. */
interface ClientOptions {
  readonly adapter: AdapterFactory;
  readonly transactionOptions: { readonly maxWait: number; readonly timeout: number };
}

/** Opens an embedded PostgreSQL, or a new database on the server at `TEST_DATABASE_URL`. */
export async function openScripted<Client extends GeneratedClient>(
  script: DatabaseScript,
  makeClient: (options: ClientOptions) => Client,
): Promise<ScriptedDatabase<Client>> {
  const tables = script.sql ?? readFileSync(new URL(`prisma/${script.name}.sql`, import.meta.url), 'utf8');
  const sql = tables + makeReset(script);
  const { adapter, connectionString, close } = await openDatabase(script.name, sql);
  const prisma = makeClient({ adapter, transactionOptions: { maxWait: 60_000, timeout: 60_000 } });
  const reset = async (): Promise<void> => {
    await prisma.$executeRawUnsafe('SELECT reset_rows()');
  };
  await reset();
  return {
    prisma,
    connectionString,
    reset,
    close: async () => {
      await prisma.$disconnect();
      await close();
    },
  };
}

/** Opens an embedded database, or one on the server at `TEST_DATABASE_URL`, that a script has filled. */
export function openDatabase(name: string, sql: string): Promise<OpenDatabase> {
  const url = process.env['TEST_DATABASE_URL'];
  return url ? openOnServer(url, name, sql) : openEmbedded(name, sql);
}

/** Deleting is quicker than `TRUNCATE` for so few rows. New rows begin at 101. */
function makeReset({ tables, seed }: DatabaseScript): string {
  return `CREATE FUNCTION reset_rows() RETURNS void LANGUAGE plpgsql AS $reset$ BEGIN
  ${[...tables]
    .reverse()
    .map((name) => `DELETE FROM "${name}";`)
    .join('\n  ')}
  ${seed}
  PERFORM setval(oid::regclass, 100) FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace;
END $reset$;`;
}

function openEmbedded(name: string, sql: string): Promise<OpenDatabase> {
  return openPglite({ name, version: versionOf(sql), build: (pglite) => pglite.exec(sql).then(() => undefined) });
}

async function openOnServer(url: string, name: string, sql: string): Promise<OpenDatabase> {
  const { connectionString, close } = await createDatabase(url, `resource_api_${name}`);
  await withServer(connectionString, (execute) => execute(sql));
  return { adapter: new PrismaPg({ connectionString }), connectionString, close };
}
