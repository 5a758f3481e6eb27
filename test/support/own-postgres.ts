import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A PostgreSQL server of a test, which the test may stop. */
export interface OwnPostgres {
  /** The URL of its database `postgres`, for a superuser without a password. */
  readonly url: string;
  readonly start: () => Promise<void>;
  /** Stops the server as `kill -9` of all its processes would: without a checkpoint, and without a message to its clients. */
  readonly kill: () => Promise<void>;
  /** Kills the server, and removes its files. */
  readonly remove: () => Promise<void>;
}

const INSTALLATIONS = '/usr/lib/postgresql';

/** The folder of `initdb` and `pg_basebackup`; undefined where there is no PostgreSQL to start. */
export const POSTGRES_BIN = findBinaries();

/** The folder that `mktemp` makes belongs to the user that runs PostgreSQL. */
export async function temporaryFolder(): Promise<string> {
  return (await runAsPostgres('mktemp', ['-d', '/tmp/own-postgres-XXXXXX'])).trim();
}

/**
 * Starts a server in a temporary folder.
 *
 * @param settings further settings, such as `deadlock_timeout=50ms`
 */
export async function startOwnPostgres(bin: string, settings: readonly string[] = []): Promise<OwnPostgres> {
  const folder = await temporaryFolder();
  const server = await initServer(bin, `${folder}/data`, settings);
  await server.start();
  return {
    ...server,
    remove: async () => {
      // A test that has failed may have left it stopped.
      await server.kill().catch(() => undefined);
      await runAsPostgres('rm', ['-rf', folder]);
    },
  };
}

async function initServer(bin: string, data: string, settings: readonly string[]): Promise<Omit<OwnPostgres, 'remove'>> {
  const port = await findFreePort();
  await runAsPostgres(`${bin}/initdb`, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
  return { ...serverOn(bin, data, port, settings), url: postgresUrl(port) };
}

/** Returns how a server on initialized data is started and killed. */
export function serverOn(bin: string, data: string, port: number, more: readonly string[] = []): Pick<OwnPostgres, 'start' | 'kill'> {
  const own = [`port=${port}`, 'listen_addresses=127.0.0.1', "unix_socket_directories=''", 'fsync=off', 'shared_buffers=16MB'];
  const options = [...own, ...more].map((setting) => `-c ${setting}`).join(' ');
  return {
    start: async () => {
      await runAsPostgres(`${bin}/pg_ctl`, ['-D', data, '-l', `${data}.log`, '-o', options, '-w', 'start']);
    },
    kill: async () => {
      await runAsPostgres(`${bin}/pg_ctl`, ['-D', data, '-m', 'immediate', '-w', 'stop']);
    },
  };
}

/** Runs a program. PostgreSQL refuses to run as root, for which the program runs as the user `postgres`. */
export async function runAsPostgres(file: string, args: readonly string[]): Promise<string> {
  const [command, ...rest] = isRoot() ? ['runuser', '-u', 'postgres', '--', file, ...args] : [file, ...args];
  const { stdout } = await execute(command, rest, { cwd: '/tmp' });
  return stdout;
}

function findBinaries(): string | undefined {
  if (!existsSync(INSTALLATIONS)) return undefined;
  const bin = readdirSync(INSTALLATIONS)
    .map((version) => `${INSTALLATIONS}/${version}/bin`)
    .find((path) => existsSync(`${path}/pg_basebackup`) && existsSync(`${path}/initdb`));
  return bin !== undefined && (!isRoot() || hasPostgresUser()) ? bin : undefined;
}

function hasPostgresUser(): boolean {
  try {
    execFileSync('runuser', ['-u', 'postgres', '--', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function postgresUrl(port: number): string {
  return `postgresql://postgres@127.0.0.1:${port}/postgres`;
}

/** Returns a port on which nothing listens. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

/** Waits until a program listens on a port. */
export async function untilListening(port: number): Promise<void> {
  for (let left = 200; left > 0; left--) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error(`Nothing listens on port ${port}.`);
}
