import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, untilListening } from './own-postgres.js';

/** The program (`apt-get install haproxy`); undefined where it is not installed. */
export const HAPROXY = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((path) => existsSync(path));

export interface Haproxy {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts HAProxy in front of servers, which receive requests alternately. It sends a request to another server only if the first one accepts no connection. */
export async function startHaproxy(ports: readonly number[]): Promise<Haproxy> {
  const ownPort = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), 'haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  retries 3
  option redispatch 1
  retry-on conn-failure
listen api
  bind 127.0.0.1:${ownPort}
  balance roundrobin
${ports.map((port, index) => `  server instance${index} 127.0.0.1:${port} check inter 200ms fall 1 rise 1\n`).join('')}`,
  );
  const server = spawn(HAPROXY ?? '', ['-q', '-f', file], { stdio: 'ignore' });
  const stopped = once(server, 'exit');
  await untilListening(ownPort);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    stop: async () => {
      server.kill('SIGKILL');
      await stopped;
      await rm(folder, { recursive: true });
    },
  };
}
