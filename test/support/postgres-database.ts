import { PrismaPg } from '@prisma/adapter-pg';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenDatabase } from './pglite-database.js';
import { buildTemplate, TEMPLATE_VERSION } from './template.js';

const TEMPLATE = `resource_api_test_${TEMPLATE_VERSION}`;

/** A database on a server that is the caller's alone. */
export interface CreatedDatabase {
  readonly connectionString: string;
  /** Drops it. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a new database on the PostgreSQL server at `url`, copied from a template that is made once per server, and dropped on close.
 *
 * @param url of any database on that server, for a role that may create databases
 */
export async function openPostgres(url: string): Promise<OpenDatabase> {
  await ensureTemplate(url);
  const { connectionString, close } = await createDatabase(url, TEMPLATE, TEMPLATE);
  return { adapter: new PrismaPg({ connectionString }), connectionString, close };
}

/**
 * Creates a database with a unique name.
 *
 * @param url of any database on that server, for a role that may create databases
 * @param prefix what its name begins with
 * @param template the database that it is a copy of; empty without one
 */
export async function createDatabase(url: string, prefix: string, template?: string): Promise<CreatedDatabase> {
  const name = `${prefix}_${randomUUID().slice(0, 8)}`;
  const copied = template === undefined ? '' : ` TEMPLATE "${template}"`;
  await withServer(url, (execute) => execute(`CREATE DATABASE "${name}"${copied}`));
  return { connectionString: databaseUrl(url, name), close: () => dropDatabase(url, name) };
}

/** How long connections may take to close. Ending one at the server would throw an error that no caller handles. */
const CLOSING = { times: 400, milliseconds: 25 };

function dropDatabase(url: string, name: string): Promise<void> {
  return withServer(url, async (execute) => {
    const isUsed = async (): Promise<boolean> => {
      const { rows } = await execute(
        `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND backend_type = 'client backend' LIMIT 1`,
      );
      return rows.length > 0;
    };
    for (let left = CLOSING.times; left > 0 && (await isUsed()); left--) await sleep(CLOSING.milliseconds);
    await execute(`DROP DATABASE "${name}" WITH (FORCE)`);
  });
}

async function ensureTemplate(url: string): Promise<void> {
  await withServer(url, async (execute) => {
    await execute(`SELECT pg_advisory_lock(hashtext('${TEMPLATE}'))`);
    const { rows } = await execute(`SELECT 1 FROM pg_database WHERE datname = '${TEMPLATE}'`);
    if (rows.length > 0) return;
    const unfinished = `${TEMPLATE}_unfinished`;
    await execute(`DROP DATABASE IF EXISTS "${unfinished}"`);
    await execute(`CREATE DATABASE "${unfinished}"`);
    const target = databaseUrl(url, unfinished);
    await withServer(target, (executeThere) =>
      buildTemplate({ adapter: new PrismaPg({ connectionString: target }), execute: executeThere }),
    );
    await execute(`ALTER DATABASE "${unfinished}" RENAME TO "${TEMPLATE}"`);
  });
}

type Execute = (script: string) => Promise<{ readonly rows: readonly unknown[] }>;

/** One connection, so that a lock taken in `work` holds until its end. */
export async function withServer(url: string, work: (execute: Execute) => Promise<unknown>): Promise<void> {
  const adapter = await new PrismaPg({ connectionString: url, max: 1 }).connect();
  try {
    await work((script) => adapter.underlyingDriver().query(script));
  } finally {
    await adapter.dispose();
  }
}

/** The URL of another database on the same server. */
function databaseUrl(url: string, name: string): string {
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
}
