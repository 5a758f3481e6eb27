import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A database with the data of the benchmark, which `drop` removes again. */
export interface Database {
  readonly url: string;
  readonly run: (sql: string) => Promise<void>;
  readonly drop: () => Promise<void>;
}

/** Whether there is a server for one. */
export function hasServer(): boolean {
  return Boolean(process.env['DATABASE_URL']) || programs() !== undefined;
}

/** Opens a new database on the server that `DATABASE_URL` names, or on one that is started for it. */
export async function openDatabase(): Promise<Database> {
  const server = process.env['DATABASE_URL'] ? { url: process.env['DATABASE_URL'], stop: () => undefined } : startServer();
  const name = `bench_${process.pid}`;
  await runOn(server.url, `CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  await runOn(url, readFileSync(new URL('../prisma/tables.sql', import.meta.url), 'utf8'));
  await runOn(url, 'VACUUM ANALYZE');
  const drop = async (): Promise<void> => {
    await runOn(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
    server.stop();
  };
  // An interrupted run leaves no database behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void drop().finally(() => process.exit(1)));
  return { url, run: (sql) => runOn(url, sql), drop };
}

async function runOn(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** PostgreSQL in a temporary directory, on a socket there alone. */
function startServer(): { readonly url: string; readonly stop: () => void } {
  const bin = programs();
  if (bin === undefined) throw new Error('PostgreSQL is not installed here. Name a server: DATABASE_URL=postgresql://… npm run bench');
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  const call = (program: string, ...args: readonly string[]): void => {
    const [command = '', ...rest] = [...asUser, join(bin, program), ...args];
    execFileSync(command, rest, { stdio: 'ignore' });
  };
  if (asUser.length > 0) execFileSync('chown', ['postgres', folder]);
  call('initdb', '-D', join(folder, 'data'), '-U', 'postgres', '--auth=trust');
  call(
    'pg_ctl',
    '-D',
    join(folder, 'data'),
    '-w',
    '-l',
    join(folder, 'log'),
    '-o',
    `-c listen_addresses= -c max_connections=200 -k ${folder}`,
    'start',
  );
  return {
    url: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: () => {
      call('pg_ctl', '-D', join(folder, 'data'), '-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder with PostgreSQL's programs: Debian keeps them out of the path. */
function programs(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const folders = [...(process.env['PATH'] ?? '').split(':'), ...list(debian).map((version) => join(debian, version, 'bin'))];
  return folders.find((folder) => list(folder).includes('initdb') && list(folder).includes('pg_ctl'));
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
