import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import type { SeededDatabase } from './seeded-database.js';
import { DATABASE_SQL, seedEmpty, TEMPLATE_VERSION } from '../template.js';
import { portSql } from './port-sql.js';
import { seedCopy } from './seed-copy.js';

const PREFIX = `resource_api_test_${TEMPLATE_VERSION}`;

const { tables, indexes } = portSql(DATABASE_SQL, 'mysql');
const { snapshot, restore } = seedCopy(tables, 'mysql');

/**
 * Opens a database on the MariaDB server at `url` that no other process uses: one that an earlier test file has left, or a new one.
 *
 * @param url of that server, for a user that may create databases
 */
export async function openMariadb(url: string): Promise<SeededDatabase> {
  const holder = await connect(url);
  const name = await holdDatabase(holder);
  const target = new URL(url);
  target.pathname = `/${name}`;
  const [made] = await holder.query('SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = ?', [name, LAST_MADE]);
  if (!made) await buildDatabase(holder, { name, url: target.href });
  return { adapter: new PrismaMariaDb(target.href), restore: [...restore, ...KEYS], close: holder.close };
}

/** The first database whose lock is free, held until the connection ends. */
async function holdDatabase({ query }: Server): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = `${PREFIX}_${number}`;
    const [row] = await query('SELECT GET_LOCK(?, 0) AS held', [name]);
    if (Number(row?.['held']) === 1) return name;
  }
}

const LAST_MADE = 'seed_made';

async function buildDatabase({ query }: Server, { name, url }: { readonly name: string; readonly url: string }): Promise<void> {
  await query(`DROP DATABASE IF EXISTS ${name}`);
  await query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  await query(`USE ${name}`);
  for (const statement of [...tables.map(({ create }) => create), ...indexes]) await query(statement);
  await seedEmpty(new PrismaMariaDb(url));
  for (const statement of snapshot) await query(statement);
  await query(`CREATE TABLE ${LAST_MADE} (id INT)`);
}

/** MariaDB takes the next generated id of a table from its rows where it is set too low. */
const KEYS = tables
  .filter(({ create }) => create.includes('AUTO_INCREMENT'))
  .map(({ name }) => `ALTER TABLE \`${name}\` AUTO_INCREMENT = 1`);

interface Server {
  readonly query: (sql: string, values?: readonly string[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly close: () => Promise<void>;
}

/** One connection, so that a lock holds until `close`. */
async function connect(url: string): Promise<Server> {
  const adapter = await new PrismaMariaDb(withOneConnection(url)).connect();
  const connection = await adapter.underlyingDriver().getConnection();
  return {
    query: (sql, values) => connection.query(sql, values),
    close: async () => {
      await connection.end();
      await adapter.dispose();
    },
  };
}

function withOneConnection(url: string): string {
  const target = new URL(url);
  target.searchParams.set('connectionLimit', '1');
  return target.href;
}
