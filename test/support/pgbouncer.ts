import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, untilListening } from './own-postgres.js';

/** The program (`apt-get install pgbouncer`); undefined where it is not installed. */
export const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) => existsSync(path));

export interface PgBouncer {
  /** The URL of the same database through PgBouncer. */
  readonly through: (url: string) => string;
  readonly stop: () => Promise<void>;
}

interface PgBouncerSetup {
  /** Further settings, as lines of `pgbouncer.ini`. */
  readonly settings?: readonly string[];
  /** Roles that may connect, besides that of the URL. */
  readonly roles?: readonly string[];
}

/** PgBouncer does not run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Starts PgBouncer in transaction mode, in front of a server. Each transaction gets another server connection, so that no session state lasts. */
export async function startPgBouncer(url: string, { settings = [], roles = [] }: PgBouncerSetup = {}): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(url);
  const ownPort = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  await chmod(folder, 0o755);
  const users = [[username, decodeURIComponent(password)], ...roles.map((role) => [role, ''])];
  await writeFile(join(folder, 'users.txt'), users.map(([user = '', secret = '']) => `"${user}" "${secret}"\n`).join(''));
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port || '5432'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 3
server_round_robin = 1
${settings.join('\n')}
`,
  );
  const server = spawn(PGBOUNCER ?? '', ['-q', join(folder, 'pgbouncer.ini')], { ...NOBODY, cwd: '/', stdio: 'ignore' });
  const stopped = once(server, 'exit');
  await untilListening(ownPort);
  return {
    through: (direct) => Object.assign(new URL(direct), { hostname: '127.0.0.1', port: String(ownPort) }).href,
    stop: async () => {
      server.kill('SIGKILL');
      await stopped;
      await rm(folder, { recursive: true });
    },
  };
}
