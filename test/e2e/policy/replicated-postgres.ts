import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Two PostgreSQL servers, the second a hot standby of the first by streaming replication. */
export interface ReplicatedPostgres {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  readonly stop: () => Promise<void>;
}

const INSTALLATIONS = '/usr/lib/postgresql';

/** Where `initdb` and `pg_basebackup` are; undefined where there is no PostgreSQL to start. */
export const POSTGRES_BIN = findBinaries();

export async function startReplicatedPostgres(bin: string): Promise<ReplicatedPostgres> {
  const directory = (await run('mktemp', ['-d', '/tmp/replicated-postgres-XXXXXX'])).trim();
  const [primaryPort, replicaPort] = [await findFreePort(), await findFreePort()];
  const [primary, replica] = [`${directory}/primary`, `${directory}/replica`];
  await run(`${bin}/initdb`, ['-D', primary, '-U', 'postgres', '-A', 'trust', '--no-sync']);
  await startServer(bin, primary, primaryPort);
  await run(`${bin}/pg_basebackup`, ['-d', urlOf(primaryPort), '-D', replica, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']);
  await startServer(bin, replica, replicaPort);
  return {
    primaryUrl: urlOf(primaryPort),
    replicaUrl: urlOf(replicaPort),
    stop: async () => {
      for (const data of [replica, primary]) await run(`${bin}/pg_ctl`, ['-D', data, '-m', 'immediate', '-w', 'stop']);
      await run('rm', ['-rf', directory]);
    },
  };
}

async function startServer(bin: string, data: string, port: number): Promise<void> {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', "unix_socket_directories=''", 'fsync=off', 'shared_buffers=16MB'];
  const options = settings.map((setting) => `-c ${setting}`).join(' ');
  await run(`${bin}/pg_ctl`, ['-D', data, '-l', `${data}.log`, '-o', options, '-w', 'start']);
}

/** PostgreSQL refuses to run as root. */
async function run(file: string, args: readonly string[]): Promise<string> {
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

function urlOf(port: number): string {
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
